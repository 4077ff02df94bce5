import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { localDirectory } from '@dist-crawl/testbed';
import { it } from 'vitest';
import type { FullAudit } from './full-audit.js';
import { createRandom, type Random } from './random.js';

/*
 * One fault, tried once in the short form and many times, with more pages, in the long one (`npm run test:fault -- --long
 * --seed N`). Round k takes seed N + k, and a failure names the command that gives the same round again.
 */

const { FAULT_LONG, FAULT_ROUNDS, FAULT_SEED, FAULT_PAGES } = process.env;
const long = FAULT_LONG === '1';
const baseSeed = Number(FAULT_SEED ?? Math.floor(Math.random() * 1_000_000));

export interface FaultRun {
  readonly seed: number;
  readonly random: Random;
  readonly long: boolean;
  /** So many pages in the short form, 2,000 in the long one. */
  pages(short: number): number;
  /** Undone in reverse order when the round ends, however it ends. */
  cleanUp(work: () => unknown): void;
  /** Writes the round's figures down. */
  record(figures: Figures): void;
}

interface Figures {
  readonly audit: FullAudit;
  /** Processes killed, stopped, cut off, servers ended: how often the fault struck. */
  readonly strikes: number;
  /** From each strike until what it had hit was back at work or in the queue, ms. */
  readonly recoveryMs?: readonly number[];
  /** Late results that were refused. */
  readonly refused?: number;
}

export interface FaultCaseOptions {
  /** The row of docs/reliability.md. */
  readonly fault: string;
  /** In the long form; default 10. */
  readonly rounds?: number;
  /** For one round of the short form; a bound for slow machines, default 400 s. */
  readonly timeoutMs?: number;
  /** Why it can't be tried here. */
  readonly skip?: string | false;
  /** Mostly waiting: side by side with the others of its file. */
  readonly concurrent?: boolean;
}

export function faultCase(title: string, options: FaultCaseOptions, work: (run: FaultRun) => Promise<void>): void {
  const rounds = long ? Number(FAULT_ROUNDS ?? options.rounds ?? 10) : 1;
  const timeout = (options.timeoutMs ?? 400_000) * (long ? 4 : 1);
  if (typeof options.skip === 'string') {
    it.skip(`${title} (skipped: ${options.skip})`, () => undefined);
    return;
  }
  const test = options.concurrent === true ? it.concurrent : it;
  for (let round = 0; round < rounds; round += 1) {
    const seed = baseSeed + round;
    const name = rounds === 1 ? title : `${title} (round ${round + 1})`;
    test(name, { timeout }, () => once(title, options.fault, seed, work));
  }
}

async function once(title: string, fault: string, seed: number, work: (run: FaultRun) => Promise<void>): Promise<void> {
  const undo: (() => unknown)[] = [];
  const run: FaultRun = {
    seed,
    random: createRandom(seed),
    long,
    pages: (short) => (long ? Number(FAULT_PAGES ?? 2_000) : short),
    cleanUp: (work) => undo.push(work),
    record: (figures) => write(fault, title, seed, figures),
  };
  try {
    await work(run);
  } catch (error) {
    const command = `npm run test:fault -- ${long ? '--long --rounds 1 ' : ''}--seed ${seed} -t ${JSON.stringify(title)}`;
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nthe same again: ${command}`, {
      cause: error,
    });
  } finally {
    for (const work of undo.reverse()) await work();
  }
}

/** One line of JSON a round; `node .ci/fault-table.mjs` makes the table of docs/reliability.md of them. */
function write(
  fault: string,
  title: string,
  seed: number,
  { audit, strikes, recoveryMs = [], refused = 0 }: Figures,
): void {
  mkdirSync(localDirectory(), { recursive: true });
  const { queued, lost, duplicates, done, dead } = audit;
  const line = {
    at: new Date().toISOString(),
    fault,
    title,
    seed,
    form: long ? 'long' : 'short',
    queued,
    done,
    dead,
    strikes,
    lost: lost.length,
    duplicates: duplicates.length,
    refused,
    recoveryMs: recoveryMs.map(Math.round),
  };
  appendFileSync(join(localDirectory(), 'fault-figures.jsonl'), `${JSON.stringify(line)}\n`);
}
