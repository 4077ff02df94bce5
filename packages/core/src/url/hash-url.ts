import { createHash } from 'node:crypto';

/** SHA-256 of a URL, 32 bytes: its key in MySQL, where a URL itself is too long for an index. */
export function hashUrl(url: string): Buffer {
  return createHash('sha256').update(url, 'utf8').digest();
}
