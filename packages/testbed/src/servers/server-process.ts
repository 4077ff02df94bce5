import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { freePort } from './free-port.js';
import { type Guard, startGuard } from './guard.js';
import { ServerStartError } from './private-server.js';
import { removePassingData, writeServerRecord } from './server-folder.js';

/** How one kind of server is started and asked whether it is there. */
export interface ServerSpec {
  readonly name: 'Redis' | 'MySQL';
  readonly program: string;
  readonly directory: string;
  /** The folder in it that the data go to. */
  readonly data: string;
  readonly password: string;
  readonly durable: boolean;
  readonly guarded: boolean;
  /** Writes the configuration for this port, and gives the arguments. */
  readonly configure: (port: number) => Promise<readonly string[]>;
  /** Whether the server with this process id answers on this port. A stranger on the port is no answer. */
  readonly answers: (port: number, pid: number) => Promise<boolean>;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 60_000;
const PORT_ATTEMPTS = 5;
const PORT_TAKEN = /address already in use|could not create server tcp listening|can't start server: bind on tcp/i;

/**
 * One server process and its guard. The process runs in a session of its own: Ctrl-C in the terminal reaches the
 * command only, which then stops its servers when its own work has been put away.
 */
export class ServerProcess {
  readonly #spec: ServerSpec;
  #child: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();
  #guard: Guard | null = null;
  #port: number | null = null;
  #detached = false;

  constructor(spec: ServerSpec) {
    this.#spec = spec;
    this.#detached = !spec.guarded;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get port(): number {
    if (this.#port === null) throw new Error(`${this.#spec.name} was not started`);
    return this.#port;
  }

  get logFile(): string {
    return join(this.#spec.directory, 'server.log');
  }

  /** Starts on a free port, on `preferredPort` if that can be had, and returns when the server answers. */
  async start(preferredPort?: number, signal?: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      const port = await freePort(attempt === 1 ? preferredPort : undefined);
      const lines = await this.#startOn(port, signal);
      if (lines === null) return;
      if (attempt < PORT_ATTEMPTS && PORT_TAKEN.test(lines)) continue;
      throw new ServerStartError(
        `${this.#spec.name} did not start (${this.#spec.program}); the end of ${this.logFile}:\n${lines}`,
      );
    }
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** The port stays: somebody else who took it meanwhile is an error, since clients know the old one. */
  async restart(): Promise<void> {
    await this.stop();
    const lines = await this.#startOn(this.port, undefined);
    if (lines !== null) throw new ServerStartError(`${this.#spec.name} did not start again:\n${lines}`);
  }

  async close(): Promise<void> {
    await this.#end(this.#spec.durable ? 'SIGTERM' : 'SIGKILL');
    if (!this.#spec.durable) await removePassingData(this.#spec.directory);
  }

  async detach(): Promise<void> {
    this.#detached = true;
    this.#guard?.dismiss();
    this.#guard = null;
    this.#child?.unref();
    await this.#record();
  }

  /** Null when the server answers, else the end of its log. */
  async #startOn(port: number, signal: AbortSignal | undefined): Promise<string | null> {
    const spec = this.#spec;
    const guard = this.#detached ? null : this.#newGuard();
    const args = await spec.configure(port);
    const log = openSync(this.logFile, 'a', 0o600);
    const logStart = (await readFile(this.logFile)).length;
    const child = spawn(spec.program, [...args], { stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    if (child.pid !== undefined) guard?.watch(child.pid);
    this.#child = child;
    this.#guard = guard;
    this.#port = port;
    this.#exited = new Promise((resolve) => {
      const gone = (): void => {
        guard?.dismiss();
        if (this.#child === child) this.#child = null;
        resolve();
      };
      child.once('exit', gone);
      child.once('error', gone);
    });
    // The process shall not wait for its servers: whoever forgets to stop them has a guard.
    child.unref();
    try {
      if (await this.#waitUntilItAnswers(child, port, signal)) {
        await this.#record();
        return null;
      }
    } catch (error) {
      await this.#end('SIGKILL');
      throw error;
    }
    await this.#end('SIGKILL');
    return (await readFile(this.logFile)).subarray(logStart).toString('utf8').trim().split('\n').slice(-15).join('\n');
  }

  #newGuard(): Guard {
    const { durable, data } = this.#spec;
    return startGuard({
      kill: 'process',
      graceSeconds: durable ? 30 : 0,
      remove: durable ? undefined : data,
    });
  }

  async #waitUntilItAnswers(child: ChildProcess, port: number, signal: AbortSignal | undefined): Promise<boolean> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (this.#child === child && child.pid !== undefined && performance.now() < deadline) {
      signal?.throwIfAborted();
      if (await this.#spec.answers(port, child.pid)) return true;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
    return false;
  }

  async #record(): Promise<void> {
    if (this.#port === null) return;
    const owner = this.#detached ? null : process.pid;
    const { directory, password } = this.#spec;
    await writeServerRecord(directory, { pid: this.pid, port: this.#port, password, owner, container: null });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    child.ref();
    child.kill(signal);
    // A stopped (SIGSTOP) process takes SIGTERM only when it goes on.
    if (signal === 'SIGTERM') child.kill('SIGCONT');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#exited;
    clearTimeout(timer);
  }
}
