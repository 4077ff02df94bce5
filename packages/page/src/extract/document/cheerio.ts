import { load, type CheerioAPI } from 'cheerio';

let api: CheerioAPI | undefined;

/**
 * cheerio, for nodes of any document. Its `load` sets all methods up anew, which costs five times as much as parsing a
 * list page (4.9 ms against 0.9 ms of CPU for 12 KB), so it is called once; documents come from parse-html.ts, which
 * uses the parser that cheerio uses, with limits.
 */
export function cheerio(): CheerioAPI {
  api ??= load('');
  return api;
}
