/**
 * URL patterns of site files: `scope.include`, `scope.exclude`, `follow`, `kinds`.
 *
 * - A pattern that begins with `/` is compared with path and query, one that begins with `http://` or `https://` with
 *   the whole URL. It must cover all of it, from first to last character.
 * - `*` stands for any characters but `/` (in the query: any characters), `**` for any characters at all.
 * - A pattern without `?` says nothing about the query: `/goods/list` is also `/goods/list?page=2`.
 *
 * All else is literal, upper and lower case differ. Matching takes time in proportion to pattern × URL, whatever
 * they are: a site's URLs can't stall a worker as they could with regular expressions.
 */
type Token = 'within-segment' | 'anything' | number;

/** Why a pattern can't be one, or undefined where it can. */
export function patternProblem(pattern: string): string | undefined {
  if (!/^(?:\/|https?:\/\/)/.test(pattern)) return 'does not begin with / or http(s)://';
  if (/\s/.test(pattern)) return 'has white space';
  if (pattern.includes('#')) return 'has a fragment, which URLs in the queue never have';
  return undefined;
}

/** Whether the absolute URL `url` is one that `pattern` describes. */
export function matchesPattern(pattern: string, url: string): boolean {
  let subject = url;
  if (pattern.startsWith('/')) {
    const authority = url.indexOf('//') + 2;
    const path = url.indexOf('/', authority);
    subject = path < 0 ? '/' : url.slice(path);
  }
  const fragment = subject.indexOf('#');
  if (fragment >= 0) subject = subject.slice(0, fragment);
  if (!pattern.includes('?')) {
    const query = subject.indexOf('?');
    if (query >= 0) subject = subject.slice(0, query);
  }
  return run(tokens(pattern), subject);
}

function tokens(pattern: string): Token[] {
  const list: Token[] = [];
  let inQuery = false;
  for (let index = 0; index < pattern.length; index += 1) {
    if (pattern[index] === '*') {
      const double = pattern[index + 1] === '*';
      if (double) index += 1;
      list.push(double || inQuery ? 'anything' : 'within-segment');
    } else {
      if (pattern[index] === '?') inQuery = true;
      list.push(pattern.charCodeAt(index));
    }
  }
  return list;
}

const SLASH = 0x2f;

/** Follows all ways through the pattern at once: `reached[i]` says that the first i tokens can cover what was read. */
function run(pattern: readonly Token[], subject: string): boolean {
  let reached = new Uint8Array(pattern.length + 1);
  reached[0] = 1;
  skipWildcards(pattern, reached);
  for (let position = 0; position < subject.length; position += 1) {
    const code = subject.charCodeAt(position);
    const next = new Uint8Array(pattern.length + 1);
    let alive = false;
    for (let index = 0; index < pattern.length; index += 1) {
      if (reached[index] === 0) continue;
      const token = pattern[index];
      if (token === code) next[index + 1] = 1;
      else if (token === 'anything' || (token === 'within-segment' && code !== SLASH)) next[index] = 1;
      else continue;
      alive = true;
    }
    if (!alive) return false;
    skipWildcards(pattern, next);
    reached = next;
  }
  return reached[pattern.length] === 1;
}

function skipWildcards(pattern: readonly Token[], reached: Uint8Array): void {
  for (let index = 0; index < pattern.length; index += 1) {
    if (reached[index] === 1 && typeof pattern[index] === 'string') reached[index + 1] = 1;
  }
}
