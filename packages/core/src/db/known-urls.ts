import { and, eq, inArray, type SQL } from 'drizzle-orm';
import type { CallOptions, Database } from './database.js';
import { urlHashOf } from './row-key.js';
import { pages } from './schema.js';
import type { Session } from './session-pool.js';

const LOOKUP_SIZE = 1_000;

/** Which of the URLs were crawled and saved, archived or not, by themselves or as the target of a redirect. */
export async function crawledUrls(
  database: Database,
  site: string,
  urls: readonly string[],
  options: CallOptions = {},
): Promise<Set<string>> {
  return await database.run(async (session) => await knownUrls(session, site, urls, undefined), options);
}

/** Those of the URLs that are URL or redirect target of a page for which `condition` (of dist_crawl_pages) holds. */
export async function knownUrls(
  session: Session,
  site: string,
  urls: readonly string[],
  condition: SQL | undefined,
): Promise<Set<string>> {
  const known = new Set<string>();
  for (let start = 0; start < urls.length; start += LOOKUP_SIZE) {
    const urlOf = new Map(urls.slice(start, start + LOOKUP_SIZE).map((url) => [urlHashOf(url).toString('hex'), url]));
    const hashes = [...urlOf.keys()].map((hex) => Buffer.from(hex, 'hex'));
    // One query an index: an OR over both would make the servers scan.
    for (const column of [pages.urlHash, pages.finalUrlHash]) {
      const rows = await session
        .select({ hash: column })
        .from(pages)
        .where(and(eq(pages.site, site), inArray(column, hashes), condition));
      for (const { hash } of rows) {
        const url = hash === null ? undefined : urlOf.get(hash.toString('hex'));
        if (url !== undefined) known.add(url);
      }
    }
  }
  return known;
}
