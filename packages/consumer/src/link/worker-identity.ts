import { randomBytes } from 'node:crypto';

/**
 * Worker ids of one node: `<NODE_TAG>~<boot>~<number>`. The boot id is new with each start of the primary and the number
 * with each registration, so two nodes with one tag, or a restarted one, never share leases.
 */
export class WorkerIds {
  readonly node: string;
  #last = 0;

  constructor(nodeTag: string) {
    this.node = `${nodeTag}~${randomBytes(4).toString('hex')}`;
  }

  next(): string {
    this.#last += 1;
    return `${this.node}~${this.#last}`;
  }
}
