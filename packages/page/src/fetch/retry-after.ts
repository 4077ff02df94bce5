/** A server that asks for more than this gets this: nobody waits a week for one page. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * Milliseconds that a Retry-After header asks to wait: seconds or an HTTP date (RFC 9110, 10.2.3), at most a day;
 * null for a header that is missing or can't be read. A date is taken against the server's own `date`, where it has one.
 */
export function parseRetryAfter(value: string | null, date: string | null, now = Date.now()): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(MAX_RETRY_AFTER_MS, Number(text) * 1000);
  // Date.parse also takes "-5" or "3.5" for years: a date has a letter
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return null;
  const serverNow = date === null ? Number.NaN : Date.parse(date);
  return Math.min(MAX_RETRY_AFTER_MS, Math.max(0, at - (Number.isNaN(serverNow) ? now : serverNow)));
}
