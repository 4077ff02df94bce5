import type { Pace } from './leases.js';

/** A pace set by hand; what is undefined is as the site file says. */
export interface HandPace {
  /** Requests per second of all nodes together; null: no limit. */
  readonly ratePerSecond?: number | null | undefined;
  readonly concurrency?: number | undefined;
}

/** What changes the pace of the site file at present. */
export interface PaceChange {
  readonly byHand: HandPace;
  /** What robots.txt asks for, between two pages of the site; null: nothing. */
  readonly crawlDelayMs: number | null;
}

/** The pace that holds, and which of three it comes from. */
export interface PaceNow extends Omit<Pace, 'burst'> {
  readonly rateFrom: 'site-file' | 'hand' | 'crawl-delay';
}

/** As lua/shared/pace.lua decides it. */
export function paceNow(pace: Pace, { byHand, crawlDelayMs }: PaceChange): PaceNow {
  const concurrency = byHand.concurrency ?? pace.concurrency;
  const isByHand = byHand.ratePerSecond !== undefined;
  const ratePerSecond = byHand.ratePerSecond === undefined ? pace.ratePerSecond : byHand.ratePerSecond;
  const delayed = crawlDelayMs === null ? null : 1000 / crawlDelayMs;
  if (delayed !== null && (ratePerSecond === null || ratePerSecond > delayed))
    return { ratePerSecond: delayed, concurrency, rateFrom: 'crawl-delay' };
  return { ratePerSecond, concurrency, rateFrom: isByHand ? 'hand' : 'site-file' };
}

/** Reads the pace Hash. */
export function readPaceChange(pace: ReadonlyMap<string, string>): PaceChange {
  const number = (field: string): number | undefined => {
    const text = pace.get(field);
    return text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
  };
  const rate = number('rate');
  return {
    byHand: { ratePerSecond: rate === 0 ? null : rate, concurrency: number('concurrency') },
    crawlDelayMs: number('crawl_delay') ?? null,
  };
}
