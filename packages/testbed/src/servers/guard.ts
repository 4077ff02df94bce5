import { spawn } from 'node:child_process';

/**
 * What watches over one thing that must not outlive this process: a small shell in a session of its own, holding the
 * read end of a pipe. When this process ends, however it ends (SIGKILL and a killed process group included), the
 * system closes the pipe, and the shell cleans up. Nothing polls, and it works alike on Linux and macOS.
 */
export interface Guard {
  /** Names the process to kill. A guard that never heard of one only removes its folder. */
  watch(pid: number): void;
  /** Ends the guard without its doing anything: the thing was stopped, or shall live on. */
  dismiss(): void;
}

export interface GuardTask {
  /** `process`: kill the watched process; `group`: its whole process group; `container`: remove this container. */
  readonly kill: 'process' | 'group' | { readonly container: string };
  /** How long SIGTERM may take before SIGKILL, in seconds; 0: SIGKILL at once. */
  readonly graceSeconds: number;
  /** A folder that goes away with it. */
  readonly remove?: string | undefined;
}

// No `--` before the ids: the kill of dash takes it for one.
// $1 process|group|container, $2 grace in seconds, $3 folder to remove or empty, $4 container name or empty
const GUARD_SCRIPT = `
trap '' HUP INT TERM
pid=
while read -r line; do pid=$line; done
if [ "$1" = container ]; then docker rm -f -v "$4"
elif [ -n "$pid" ]; then
  target=$pid; [ "$1" = group ] && target=-$pid
  waited=0
  if [ "$2" -gt 0 ]; then
    kill -TERM "$target"
    while [ "$waited" -lt "$2" ] && kill -0 "$target"; do sleep 1; waited=$((waited + 1)); done
  fi
  kill -KILL "$target"
fi
if [ -n "$3" ]; then sleep 1; rm -rf -- "$3"; fi
`;

/** Starts a guard. It must be started before the thing that it guards, so that no moment is unguarded. */
export function startGuard(task: GuardTask): Guard {
  const mode = typeof task.kill === 'string' ? task.kill : 'container';
  const container = typeof task.kill === 'string' ? '' : task.kill.container;
  const shell = spawn(
    '/bin/sh',
    ['-c', GUARD_SCRIPT, 'dist-crawl-guard', mode, String(task.graceSeconds), task.remove ?? '', container],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' },
  );
  // Neither the guard nor its pipe may keep this process alive, and a guard that is gone is no error of ours.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return {
    watch: (pid) => {
      shell.stdin.write(`${pid}\n`);
    },
    dismiss: () => {
      shell.kill('SIGKILL');
      shell.stdin.destroy();
    },
  };
}
