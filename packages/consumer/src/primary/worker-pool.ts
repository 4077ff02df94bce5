import cluster, { type Worker } from 'node:cluster';
import { EXIT } from '@dist-crawl/core/errors';
import type { Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import { backoff, retry, sleep, type Part } from '@dist-crawl/core/runtime';
import type { Tally } from '../link/messages.js';
import type { WorkerIds } from '../link/worker-identity.js';
import { WorkerProcess } from './worker-process.js';

export interface WorkerPoolOptions {
  readonly size: number;
  readonly ids: WorkerIds;
  readonly frontiers: ReadonlyMap<string, Frontier>;
  readonly logger: Logger;
  readonly onIdle: (site: string) => void;
  readonly onTally: (tally: Tally) => void;
  /** A worker can't work for a reason that no restart mends. */
  readonly onHopeless: (error: Error) => void;
}

const restartDelay = backoff({ baseMs: 250, maxMs: 30_000 });
/** A worker that lived so long did not die of its start. */
const SETTLED_MS = 30_000;
const redisBackoff = backoff({ baseMs: 200, maxMs: 5_000 });

/**
 * Forks workers, replaces those that die, and gives back at once what a dead one held: the primary knows that the
 * process is gone, so nothing waits for a lease to run out.
 */
export class WorkerPool implements Part {
  readonly name = 'workers';
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Map<number, WorkerProcess>();
  readonly #recoveries = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #earlyDeaths = 0;
  #allGone: (() => void) | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  get workers(): WorkerProcess[] {
    return [...this.#workers.values()];
  }

  start(): void {
    for (let n = 0; n < this.#options.size; n += 1) this.#fork();
  }

  /** Lets workers finish until the deadline, then kills them; waits until what they held is back in the queue. */
  stop(deadlineMs: number): Promise<void> {
    this.#stopped ??= this.#drain(deadlineMs);
    return this.#stopped;
  }

  async #drain(deadlineMs: number): Promise<void> {
    this.#stop.abort(new Error('the workers stop'));
    const gone = new Promise<void>((resolve) => (this.#allGone = resolve));
    for (const worker of this.workers) worker.send({ type: 'drain' });
    if (this.#workers.size === 0) this.#allGone?.();
    const timer = setTimeout(
      () => {
        for (const { process, id } of this.workers) {
          this.#options.logger.warn({ worker: id }, 'a worker did not finish in time and is killed');
          process.process.kill('SIGKILL');
        }
      },
      Math.max(0, deadlineMs - 500),
    );
    await gone;
    clearTimeout(timer);
    await Promise.all(this.#recoveries);
  }

  /** Puts a worker on the register of all sites under a new id and tells it so. */
  async register(worker: WorkerProcess): Promise<void> {
    const { ids, frontiers, logger } = this.#options;
    const id = ids.next();
    const { id: old } = worker;
    worker.id = undefined;
    worker.held.clear();
    await retry(
      async () => {
        for (const frontier of frontiers.values()) await frontier.leases.register(id);
      },
      {
        signal: this.#stop.signal,
        backoff: redisBackoff,
        onRetry: ({ error }) => logger.warn({ err: error }, `worker ${id} can't be registered yet`),
      },
    );
    worker.id = id;
    worker.send({ type: 'identity', worker: id });
    // What it held at sites where nobody took it for dead yet is lost to it all the same.
    if (old !== undefined) this.#track(this.#recover(old, null));
    logger.debug({ worker: id, pid: worker.process.process.pid }, `worker ${id} is registered`);
  }

  #fork(): void {
    const { logger, onIdle, onTally } = this.#options;
    const child = cluster.fork();
    const worker = new WorkerProcess(child);
    this.#workers.set(child.id, worker);
    const register = (): void => {
      // Told to stop before it could hear.
      if (this.#stop.signal.aborted) return worker.send({ type: 'drain' });
      this.register(worker).catch((error: unknown) => {
        if (!this.#stop.signal.aborted) logger.error({ err: error }, 'a worker could not be registered');
      });
    };
    child.on('message', (raw: unknown) =>
      worker.receive(raw, { ready: register, unregistered: register, idle: onIdle, tally: onTally }),
    );
    child.on('error', (error) => logger.debug({ err: error }, 'a message did not reach a worker'));
    child.once('exit', (code, signal) => this.#onExit(child, worker, code, signal));
  }

  #onExit(child: Worker, worker: WorkerProcess, code: number | null, signal: string | null): void {
    const { logger, onHopeless } = this.#options;
    this.#workers.delete(child.id);
    if (worker.id !== undefined) this.#track(this.#recover(worker.id, worker.parsing));
    if (this.#stop.signal.aborted) {
      if (this.#workers.size === 0) this.#allGone?.();
      return;
    }
    if (code === EXIT.config) return onHopeless(new Error('a worker refused its settings'));
    this.#earlyDeaths = performance.now() - worker.startedAt < SETTLED_MS ? this.#earlyDeaths + 1 : 1;
    const delayMs = restartDelay(this.#earlyDeaths);
    logger.error(
      { worker: worker.id, code, signal, parsing: worker.parsing?.url, delayMs },
      `worker ${worker.id ?? child.process.pid ?? ''} died (${signal ?? `exit ${code}`}), the next one starts in ${delayMs} ms`,
    );
    this.#track(
      sleep(delayMs, this.#stop.signal).then(
        () => this.#fork(),
        () => undefined,
      ),
    );
  }

  async #recover(id: string, parsing: WorkerProcess['parsing']): Promise<void> {
    const { frontiers, logger } = this.#options;
    for (const [site, frontier] of frontiers) {
      const suspect = parsing?.site === site ? parsing.url : undefined;
      try {
        const result = await retry(() => frontier.recovery.recover(id, { processDied: true, suspect }), {
          signal: AbortSignal.timeout(60_000),
          backoff: redisBackoff,
        });
        if (result.kind === 'recovered' && result.tasks > 0) {
          logger.warn(
            { site, worker: id, tasks: result.tasks },
            `${result.tasks} tasks of worker ${id} are back in the queue`,
          );
        }
      } catch (error) {
        logger.error({ err: error, site, worker: id }, `tasks of worker ${id} wait for another node to recover them`);
      }
    }
  }

  #track(work: Promise<void>): void {
    this.#recoveries.add(work);
    void work.finally(() => this.#recoveries.delete(work)); // never rejects: errors are handled inside
  }
}
