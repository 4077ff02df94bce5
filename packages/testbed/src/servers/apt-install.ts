import { readFile } from 'node:fs/promises';

import { findProgram } from './find-program.js';
import { runCommand } from './run-command.js';

/**
 * Installs packages without starting or enabling what they bring:
 * - policy-rc.d answers 101 ("not allowed") while dpkg works, so no service is started. An administrator's own
 *   policy is put aside and put back, also when this is interrupted, and the next run mends what a SIGKILL left.
 * - Units are enabled by the packages' own scripts, so those that were not there before are disabled again; where no
 *   systemd is at work, the links of System V's init that they leave.
 * $1: path of policy-rc.d, then the packages.
 */
export const APT_SCRIPT = `
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
policy=$1; shift
units() { systemctl list-unit-files --no-legend --state=enabled 2>/dev/null | cut -d ' ' -f 1 | sort; }
restore() {
  if [ -e "$policy" ] && grep -q 'dist-crawl: passing policy' "$policy"; then rm -f "$policy"; fi
  if [ -e "$policy.dist-crawl-saved" ]; then mv "$policy.dist-crawl-saved" "$policy"; fi
}
trap restore EXIT
trap 'exit 130' HUP INT TERM
restore
before=$(units)
scripts=$(ls /etc/init.d 2>/dev/null || true)
if [ -e "$policy" ]; then mv "$policy" "$policy.dist-crawl-saved"; fi
printf '#!/bin/sh\\n# dist-crawl: passing policy\\nexit 101\\n' > "$policy"
chmod 755 "$policy"
apt-get update
apt-get install -y --no-install-recommends "$@"
for unit in $(units); do
  if printf '%s\\n' "$before" | grep -qxF -- "$unit"; then continue; fi
  case $unit in redis*|mariadb*|mysql*) systemctl --no-reload disable "$unit" ;; esac
done
for script in $(ls /etc/init.d 2>/dev/null || true); do
  if printf '%s\\n' "$scripts" | grep -qxF -- "$script"; then continue; fi
  case $script in redis*|mariadb*|mysql*) update-rc.d "$script" disable ;; esac
done
`;

const POLICY_FILE = '/usr/sbin/policy-rc.d';

/** How this process may install packages: as it is, by sudo without a password, or not at all. */
export async function aptAccess(): Promise<'root' | 'sudo' | 'none'> {
  const debian = await readFile('/etc/debian_version', 'utf8').then(
    () => true,
    () => false,
  );
  if (!debian || (await findProgram(['apt-get'])) === null) return 'none';
  if (process.getuid?.() === 0) return 'root';
  const sudo = await runCommand('sudo', ['-n', 'true'], { timeoutMs: 5_000 });
  return sudo.code === 0 ? 'sudo' : 'none';
}

/** Null when the packages are installed, else why they are not. */
export async function aptInstall(
  access: 'root' | 'sudo',
  packages: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const shell = ['/bin/sh', '-c', APT_SCRIPT, 'sh', POLICY_FILE, ...packages];
  const command = access === 'root' ? shell : ['sudo', '-n', ...shell];
  const [file = '/bin/sh', ...args] = command;
  const result = await runCommand(file, args, { signal });
  signal?.throwIfAborted();
  if (result.code === 0) return null;
  return `${result.stderr}${result.stdout}`.trim().split('\n').slice(-5).join('\n');
}
