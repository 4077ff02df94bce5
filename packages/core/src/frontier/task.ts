import { z } from 'zod';
import type { CanonicalUrl } from '../url/index.js';

/** What outlives a change of state of a URL (see lua/shared/task.lua). Times in ms since 1970, of Redis' clock. */
const taskRecord = z.object({
  failures: z.number().optional(),
  crashes: z.number().optional(),
  throttles: z.number().optional(),
  depth: z.number().optional(),
  fresh: z.boolean().optional(),
  /** A list page that may lie beyond the end of its range: when the round that queued it began. */
  mayEnd: z.number().optional(),
  notBefore: z.number().optional(),
  /** How often it was put off, and since when. */
  defers: z.number().optional(),
  deferredSince: z.number().optional(),
  kind: z.string().optional(),
  error: z.string().optional(),
  status: z.number().optional(),
  node: z.string().optional(),
  first: z.number().optional(),
  last: z.number().optional(),
});
export type TaskRecord = z.infer<typeof taskRecord>;

/** The record as stored; an unreadable one counts as empty, as it does in the scripts. */
export function readTaskRecord(json: string | null): TaskRecord {
  if (json === null || json === '') return {};
  try {
    return taskRecord.catch({}).parse(JSON.parse(json));
  } catch {
    return {};
  }
}

/** A URL in flight: whoever has its token may complete, fail or release it. */
export interface Task {
  readonly url: CanonicalUrl;
  readonly token: string;
  /** Wait so long before the request is sent: the slot that the site's pace gave. */
  readonly delayMs: number;
  readonly record: TaskRecord;
}

/** Why a URL failed, for people and for the dead letter. */
export interface Failure {
  /** `http-500`, `timeout`, `no-goods`, … */
  readonly kind: string;
  readonly message: string;
  readonly status?: number | undefined;
  /** The site gave no answer, or one that tells of its own trouble: many in a row, and it pauses. */
  readonly away?: boolean | undefined;
  readonly node: string;
}
