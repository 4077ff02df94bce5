import type { EnqueueResult, FollowRefusal } from '@dist-crawl/core/frontier';
import type { Candidate } from './sources/source.js';
import type { Refusal as SiftRefusal } from './sift.js';

/** Why a candidate is not queued: what it is, or a limit of the site. */
type Refusal = SiftRefusal | FollowRefusal;

/** Candidates of each refusal that are named, so that the user can look for the cause. */
const NAMED = 3;

export interface Refused {
  readonly count: number;
  /** The first few, as `line 3: "ftp://shop.example/"`. */
  readonly named: readonly string[];
}

const outcomes = ['queued', 'pending', 'done', 'dead', 'archived'] as const;

/** What became of the candidates of a round so far. */
export class Tally {
  queued = 0;
  pending = 0;
  done = 0;
  dead = 0;
  archived = 0;
  readonly refused = new Map<Refusal, Refused>();
  /** Where a page range ended early: the first page beyond its end, of so many in a row. */
  ended: { readonly from: number; readonly inARow: number } | undefined;
  /** The last URL dealt with: so far the round came. */
  reached: string | undefined;
  /** Why it does not go on just now. */
  waitsFor: string | undefined;

  /** Candidates dealt with, refused ones included. */
  get dealt(): number {
    let sum = 0;
    for (const { count } of this.refused.values()) sum += count;
    return outcomes.reduce((all, outcome) => all + this[outcome], sum);
  }

  add(result: Omit<EnqueueResult, 'consumed'>): void {
    this.queued += result.queued;
    this.pending += result.pending;
    this.done += result.done;
    this.dead += result.dead;
    for (const [reason, count] of Object.entries(result.refused) as [FollowRefusal, number][]) {
      const { count: before, named } = this.refused.get(reason) ?? { count: 0, named: [] };
      this.refused.set(reason, { count: before + count, named });
    }
  }

  refuse(reason: Refusal, { text, line }: Candidate): void {
    const { count, named } = this.refused.get(reason) ?? { count: 0, named: [] };
    const quoted = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
    const name = line === undefined ? quoted : `line ${line}: ${quoted}`;
    this.refused.set(reason, { count: count + 1, named: count < NAMED ? [...named, name] : named });
  }

  /** Plain numbers for a log line. */
  figures(): Record<string, number> {
    const { queued, pending, done, dead, archived } = this;
    const refused = [...this.refused].map(([reason, { count }]) => [reason, count] as const);
    return { queued, pending, done, dead, archived, ...Object.fromEntries(refused) };
  }

  /** `200 queued, 0 already waiting, 0 already done, 0 dead`, and what else there was. */
  summary(): string {
    const counts: string[] = [
      `${this.queued} queued`,
      `${this.pending} already waiting`,
      `${this.done} already done`,
      `${this.dead} dead`,
    ];
    if (this.archived > 0) counts.push(`${this.archived} archived`);
    for (const [reason, { count }] of this.refused) counts.push(`${count} ${refusalWords[reason]}`);
    const { ended } = this;
    const end =
      ended === undefined ? '' : `; the range ends before page ${ended.from} (${ended.inARow} beyond it in a row)`;
    return `${counts.join(', ')}${end}`;
  }

  /** One line for each reason of refusal: `2 out of scope: "http://a/", "http://b/"`. */
  refusals(): string[] {
    return [...this.refused].map(([reason, { count, named }]) => {
      const more = count > named.length ? `, and ${count - named.length} more` : '';
      const names = named.length === 0 ? '' : `: ${named.join(', ')}${more}`;
      return `${count} ${refusalWords[reason]}, not queued${names}`;
    });
  }
}

const refusalWords: Record<Refusal, string> = {
  invalid: 'no URL',
  'not-http': 'not http(s)',
  'too-long': 'too long',
  'out-of-scope': 'out of scope',
  'max-pages': 'beyond `maxPages`',
  'max-depth': 'beyond `maxDepth`',
  'path-repeat': 'with a path that repeats itself',
  'query-variants': 'beyond `traps.queryVariants`',
};
