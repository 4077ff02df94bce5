import { runCommand } from './run-command.js';

/** Where servers are installed beyond the PATH of an ordinary user. */
const USUAL_PLACES = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/sbin',
  '/usr/bin',
  '/usr/local/bin',
  '/usr/libexec',
  '/usr/local/mysql/bin',
  '/opt/homebrew/bin',
  '/opt/homebrew/opt/mysql/bin',
  '/opt/homebrew/opt/mariadb/bin',
];

/** The full path of the first of `names` that is installed, on PATH or in the usual places of servers, or null. */
export async function findProgram(names: readonly string[]): Promise<string | null> {
  const script = 'PATH="$PATH:$1"; shift; for name; do command -v "$name" && exit 0; done; exit 1';
  const found = await runCommand('/bin/sh', ['-c', script, 'sh', USUAL_PLACES.join(':'), ...names]);
  const path = found.stdout.trim();
  return found.code === 0 && path.startsWith('/') ? path : null;
}
