import { type DemoFolders } from './folders.js';
import { lastLines, type RoleExit, type RoleProcess, signalGroup, startGuarded, startLasting } from './role-process.js';
import type { Role } from './roles.js';
import { type RunningRecord, writeRecord } from './running.js';

/** A daemon of the demo ended when it should not. */
export class RoleDiedError extends Error {
  readonly code = 'ROLE_DIED';

  constructor(process: RoleProcess, { code, signal }: RoleExit) {
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    const lines = lastLines(process, SHOWN_LINES).map((line) => `  ${line}`);
    const wrote = lines.length === 0 ? 'It wrote nothing.' : `The end of ${process.logFile}:\n\n${lines.join('\n')}`;
    super(`${process.name} ended ${how}, before the crawl was finished. ${wrote}`);
    this.name = 'RoleDiedError';
  }
}

const SHOWN_LINES = 15;
const GRACE_MS = 15_000;

/** The processes of the demo, started one by one and stopped together. */
export interface Cast {
  start(role: Role): Promise<RoleProcess>;
  /** The last started first; those that ended already are no matter. May be called twice. */
  stop(): Promise<void>;
}

export interface CastOptions {
  readonly folders: DemoFolders;
  /** They may live on after this process; what runs is noted in the folder, so that it can be stopped later. */
  readonly lasting: boolean;
  /** The servers, if they are processes of ours: noted, too. */
  readonly servers: RunningRecord['processes'];
}

export function createCast({ folders, lasting, servers }: CastOptions): Cast {
  const started: { process: RoleProcess; mark: string }[] = [];
  return {
    async start(role) {
      const process = await (lasting ? startLasting : startGuarded)(role, folders);
      started.push({ process, mark: role.entry });
      if (lasting) {
        const own = started.map(({ process: { name, pid }, mark }) => ({ name, pid, mark }));
        await writeRecord(folders.recordFile, { processes: [...own.toReversed(), ...servers] });
      }
      return process;
    },
    async stop() {
      await Promise.all(started.map(async ({ process }) => process.stop(GRACE_MS)));
      // A primary that was killed outright may have left workers in its group.
      for (const { process } of started) signalGroup(process.pid, 'SIGKILL', 'group');
    },
  };
}

/** @throws RoleDiedError when one of them has ended, other than with code 0 where that is allowed */
export function checkAlive(processes: readonly RoleProcess[], { mayEnd }: { mayEnd: boolean }): void {
  for (const process of processes) {
    const exit = process.exit();
    if (exit !== null && !(mayEnd && exit.code === 0)) throw new RoleDiedError(process, exit);
  }
}

/** Whether all of them have ended in good order. */
export function allEnded(processes: readonly RoleProcess[]): boolean {
  return processes.every((process) => process.exit()?.code === 0);
}
