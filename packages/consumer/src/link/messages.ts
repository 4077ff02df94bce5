import { z } from 'zod';

/** A task that a worker holds. */
const held = z.object({ url: z.string(), token: z.string() });
export type HeldTask = z.infer<typeof held>;

/** What a worker did since its last tally. */
const tally = z.object({
  pages: z.number(),
  /** Of these, those that had not changed since the last crawl. */
  unchanged: z.number(),
  rows: z.number(),
  rejectedRows: z.number(),
  unreadablePrices: z.number(),
  lost: z.number(),
  /** Kind of failure → how many. */
  failures: z.record(z.string(), z.number()),
});
export type Tally = z.infer<typeof tally>;

export function emptyTally(): Tally {
  return { pages: 0, unchanged: 0, rows: 0, rejectedRows: 0, unreadablePrices: 0, lost: 0, failures: {} };
}

/** From a worker to its primary. */
const fromWorker = z.discriminatedUnion('type', [
  /** Settings are read, stores are connected: an identity is asked for. */
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('pong'), ping: z.number() }),
  z.object({ type: z.literal('took'), site: z.string(), tasks: z.array(held) }),
  z.object({ type: z.literal('gave'), site: z.string(), tasks: z.array(held) }),
  /** Parsing of a page begins: should the process die before `parsed`, this page is the suspect. */
  z.object({ type: z.literal('parsing'), site: z.string(), url: z.string() }),
  z.object({ type: z.literal('parsed'), site: z.string(), url: z.string() }),
  /** The queue of a site is empty: wake me when it is not. */
  z.object({ type: z.literal('idle'), site: z.string() }),
  /** The worker was told that it is off the register. */
  z.object({ type: z.literal('unregistered'), worker: z.string() }),
  z.object({ type: z.literal('tally'), tally, waits: z.record(z.string(), z.string()) }),
]);
export type FromWorker = z.infer<typeof fromWorker>;

/** From the primary to a worker. */
const fromPrimary = z.discriminatedUnion('type', [
  /** Registered under this id: what was held under an older one is lost. */
  z.object({ type: z.literal('identity'), worker: z.string() }),
  z.object({ type: z.literal('ping'), ping: z.number() }),
  z.object({ type: z.literal('lost'), tokens: z.array(z.string()) }),
  z.object({ type: z.literal('wake'), site: z.string() }),
  z.object({ type: z.literal('drain') }),
]);
export type FromPrimary = z.infer<typeof fromPrimary>;

/** @throws ZodError: the two ends are of different versions */
export const readFromWorker = (message: unknown): FromWorker => fromWorker.parse(message);
/** @throws ZodError: the two ends are of different versions */
export const readFromPrimary = (message: unknown): FromPrimary => fromPrimary.parse(message);
