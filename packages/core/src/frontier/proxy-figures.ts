import { z } from 'zod';
import type { RedisClient, SiteKeys } from '../redis/index.js';

/** What one process saw of one proxy since it last told. */
export interface ProxyReport {
  readonly proxy: string;
  readonly answered: number;
  readonly failed: number;
  readonly rests: number;
  /** Left out by this process for so long still. */
  readonly restsMs: number;
  readonly lastError: string | null;
}

/** What all processes saw of one proxy. */
export interface ProxyFigures {
  readonly proxy: string;
  readonly answered: number;
  readonly failed: number;
  readonly rests: number;
  /** The last process that left it out does so for this long still; 0: in use. */
  readonly restsMs: number;
  readonly lastError: string | null;
}

/** Figures of the site's proxies, of all nodes together, for `crawl status`. Each process decides by what it sees itself. */
export interface ProxyBook {
  report(reports: readonly ProxyReport[]): Promise<void>;
  read(): Promise<ProxyFigures[]>;
}

const counters = ['answered', 'failed', 'rests'] as const;
const time = z.tuple([z.coerce.number(), z.coerce.number()]);

export function createProxyBook(client: RedisClient, keys: SiteKeys): ProxyBook {
  const key = keys.proxies;
  const now = async (): Promise<number> => {
    const [seconds, micros] = time.parse(await client.time());
    return seconds * 1000 + Math.floor(micros / 1000);
  };
  return {
    async report(reports) {
      if (reports.length === 0) return;
      const at = await now();
      for (const { proxy, restsMs, lastError, ...figures } of reports) {
        for (const name of counters)
          if (figures[name] > 0) await client.hincrby(key, `${name} ${proxy}`, figures[name]);
        if (lastError !== null) await client.hset(key, `error ${proxy}`, lastError);
        await client.hset(key, `until ${proxy}`, at + restsMs);
      }
    },
    async read() {
      const fields = new Map(Object.entries(await client.hgetall(key)));
      const at = fields.size === 0 ? 0 : await now();
      const known = [...fields.keys()].filter((field) => field.startsWith('until ')).map((field) => field.slice(6));
      return known.toSorted().map((proxy) => {
        const number = (name: string): number => Number(fields.get(`${name} ${proxy}`) ?? 0);
        return {
          proxy,
          answered: number('answered'),
          failed: number('failed'),
          rests: number('rests'),
          restsMs: Math.max(0, number('until') - at),
          lastError: fields.get(`error ${proxy}`) ?? null,
        };
      });
    },
  };
}
