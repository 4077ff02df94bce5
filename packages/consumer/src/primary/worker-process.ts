import type { Worker } from 'node:cluster';
import { readFromWorker, type FromPrimary, type FromWorker, type HeldTask, type Tally } from '../link/messages.js';

/** What the primary knows of one worker process. */
export class WorkerProcess {
  readonly process: Worker;
  readonly startedAt = performance.now();
  /** Id on the register of each site; undefined until the worker is ready. */
  id: string | undefined;
  /** Site → URL → token. */
  readonly held = new Map<string, Map<string, string>>();
  parsing: { readonly site: string; readonly url: string } | null = null;
  lastAnswer = performance.now();
  /** Its program is loaded: it has said something. */
  wasHeard = false;
  /** Why the worker takes no task of a site at present, in words. */
  waits: Readonly<Record<string, string>> = {};

  constructor(process: Worker) {
    this.process = process;
  }

  send(message: FromPrimary): void {
    if (!this.process.isConnected()) return;
    this.process.send(message, (error) => {
      // The worker is gone or going: its exit is handled there.
      void error;
    });
  }

  /** Keeps the books; what concerns others is handed on. */
  receive(
    raw: unknown,
    on: { ready(): void; idle(site: string): void; unregistered(): void; tally(tally: Tally): void },
  ): void {
    const message: FromWorker = readFromWorker(raw);
    this.lastAnswer = performance.now();
    this.wasHeard = true;
    switch (message.type) {
      case 'ready':
        return on.ready();
      case 'pong':
        return;
      case 'took':
        for (const { url, token } of message.tasks) this.#heldOf(message.site).set(url, token);
        return;
      case 'gave':
        this.#gave(message.site, message.tasks);
        return;
      case 'parsing':
        this.parsing = { site: message.site, url: message.url };
        return;
      case 'parsed':
        if (this.parsing?.site === message.site && this.parsing.url === message.url) this.parsing = null;
        return;
      case 'idle':
        return on.idle(message.site);
      case 'unregistered':
        if (message.worker === this.id) on.unregistered();
        return;
      case 'tally':
        this.waits = message.waits;
        return on.tally(message.tally);
    }
  }

  heldTasks(site: string): HeldTask[] {
    return [...(this.held.get(site) ?? [])].map(([url, token]) => ({ url, token }));
  }

  /** A worker that lost a URL and got it again gives up the old claim of the two, not the new one. */
  #gave(site: string, tasks: readonly HeldTask[]): void {
    const held = this.#heldOf(site);
    for (const { url, token } of tasks) if (held.get(url) === token) held.delete(url);
  }

  #heldOf(site: string): Map<string, string> {
    let tasks = this.held.get(site);
    if (tasks === undefined) {
      tasks = new Map();
      this.held.set(site, tasks);
    }
    return tasks;
  }
}
