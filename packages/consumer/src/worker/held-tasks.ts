import type { Task } from '@dist-crawl/core/frontier';
import type { PrimaryLink } from './primary-link.js';

/** Why work on a task ends before it is done. */
export type AbortReason = 'lost' | 'stopped' | 'deadline' | 'too-soon';

/** A task that this worker holds, and the signal that ends the work on it. */
export interface HeldTask extends Task {
  readonly site: string;
  /** The id under which it was claimed; another one by now means that it is lost. */
  readonly worker: string;
  /** Ms since 1970 of Redis' clock. */
  readonly claimedAt: number;
  /** Aborted with an AbortReason. */
  readonly signal: AbortSignal;
}

interface Entry {
  readonly task: HeldTask;
  readonly controller: AbortController;
  /** A request was sent: a worker that stops lets it finish. */
  started: boolean;
}

/** What this worker holds, told to the primary, which renews the leases. */
export class HeldTasks {
  readonly #link: PrimaryLink;
  readonly #tasks = new Map<string, Entry>();

  constructor(link: PrimaryLink) {
    this.#link = link;
  }

  get size(): number {
    return this.#tasks.size;
  }

  add(site: string, worker: string, tasks: readonly Task[], claimedAt: number): HeldTask[] {
    const added = tasks.map((task) => {
      const controller = new AbortController();
      const held = { ...task, site, worker, claimedAt, signal: controller.signal };
      this.#tasks.set(task.token, { task: held, controller, started: false });
      return held;
    });
    if (added.length > 0)
      this.#link.send({ type: 'took', site, tasks: added.map(({ url, token }) => ({ url, token })) });
    return added;
  }

  /** The task came to an end here, whatever it was. */
  remove(tasks: readonly HeldTask[]): void {
    const bySite = new Map<string, { url: string; token: string }[]>();
    for (const { token, site, url } of tasks) {
      if (!this.#tasks.delete(token)) continue;
      bySite.set(site, [...(bySite.get(site) ?? []), { url, token }]);
    }
    for (const [site, given] of bySite) this.#link.send({ type: 'gave', site, tasks: given });
  }

  started({ token }: HeldTask): void {
    const entry = this.#tasks.get(token);
    if (entry !== undefined) entry.started = true;
  }

  /** Ends the work on those tasks that are meant. */
  abort(reason: AbortReason, which: (task: HeldTask, started: boolean) => boolean = () => true): void {
    for (const { task, controller, started } of this.#tasks.values())
      if (which(task, started)) controller.abort(reason);
  }
}
