import { z } from 'zod';

/** What is known about an origin's robots.txt, as the cache holds it. */
const schema = z.object({
  /** Milliseconds since 1970 by the clock of the node that fetched it. */
  fetchedAt: z.number(),
  /** Status of the answer. */
  status: z.number(),
  /** The file's bytes as Latin-1; null where there is none to obey (4xx). */
  file: z.string().nullable(),
});

export type RobotsRecord = z.infer<typeof schema>;

export function writeRecord(record: RobotsRecord): string {
  return JSON.stringify(record);
}

/** Reads a cached value; null for one that this version did not write. */
export function readRecord(value: string): RobotsRecord | null {
  try {
    return schema.safeParse(JSON.parse(value)).data ?? null;
  } catch {
    return null;
  }
}
