import type { DeadUrl } from '@dist-crawl/core/db';
import type { FailedUrl } from '@dist-crawl/core/frontier';
import { MAX_URL_BYTES } from '@dist-crawl/core/url';

const MAX_STATUS = 65_535;
const MAX_FAILURES = 2 ** 32 - 1;
const DAY_MS = 86_400_000;

/**
 * The dead letter of a URL that failed too often. Whatever stands in the record fits the table's columns then: one
 * value written by hand must not keep a whole batch from being saved, at each tick anew.
 * @param now - ms of Redis' clock; stands in where the record has no time, or one that can't be
 */
export function deadLetter(site: string, { url, failures, record }: FailedUrl, now: number): DeadUrl {
  const last = moment(record.last, now) ?? now;
  const first = Math.min(moment(record.first, now) ?? last, last);
  const overlong = url.length > MAX_URL_BYTES;
  const lastError =
    record.error ?? 'no record of its failures was kept: Redis lost it, or the URL was put there by hand';
  return {
    site,
    url: overlong ? url.slice(0, MAX_URL_BYTES) : url,
    kind: record.kind ?? 'unknown',
    lastError: overlong ? `(the URL has ${url.length} characters and is cut) ${lastError}` : lastError,
    status: wholeUpTo(MAX_STATUS, record.status),
    failures: Math.max(1, Math.min(MAX_FAILURES, Math.floor(failures))),
    firstFailure: new Date(first),
    lastFailure: new Date(last),
    node: record.node ?? 'unknown',
  };
}

/** A time in ms that can be believed: not before 1970, and no more than a day after `now`. */
function moment(ms: number | undefined, now: number): number | null {
  return ms !== undefined && ms > 0 && ms <= now + DAY_MS ? Math.floor(ms) : null;
}

function wholeUpTo(most: number, value: number | undefined): number | null {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= most ? value : null;
}
