import { normalizePath, type RobotsFile, type RobotsGroup, type RobotsRule } from './parse-robots.js';

export interface RobotsMatch {
  readonly allowed: boolean;
  readonly crawlDelaySeconds: number | null;
  /** The rule that decided; null where none matches, which allows. */
  readonly rule: RobotsRule | null;
  /** The token whose group was taken: the product's own, `*`, or null where the file has neither. */
  readonly agent: string | null;
}

/**
 * Whether a file lets a product fetch a URL (RFC 9309, 2.2.2): of the group for its token, else of that for `*`, the
 * longest matching rule counts; of two as long, Allow. /robots.txt itself is always allowed.
 */
export function matchRobots(file: RobotsFile, productToken: string, url: string): RobotsMatch {
  const [agent, group] = groupOf(file, productToken.toLowerCase());
  const { pathname, search } = new URL(url);
  const crawlDelaySeconds = group?.crawlDelaySeconds ?? null;
  if (group === null || pathname === '/robots.txt') return { allowed: true, crawlDelaySeconds, rule: null, agent };
  const path = normalizePath(pathname + search);
  const plainQuery = decodeQuery(path);
  let best: RobotsRule | null = null;
  for (const rule of group.rules) {
    if (best !== null && !outranks(rule, best)) continue;
    if (matches(rule.pattern, path) || matches(decodeQuery(rule.pattern), plainQuery)) best = rule;
  }
  return { allowed: best?.allow ?? true, crawlDelaySeconds, rule: best, agent };
}

function groupOf(file: RobotsFile, token: string): [string, RobotsGroup] | [null, null] {
  for (const agent of [token, '*']) {
    const group = file.groups.get(agent);
    if (group !== undefined) return [agent, group];
  }
  return [null, null];
}

function outranks(rule: RobotsRule, other: RobotsRule): boolean {
  const longer = rule.pattern.length - other.pattern.length;
  return longer > 0 || (longer === 0 && rule.allow && !other.allow);
}

/** In a query, `:` `/` `?` `@` say the same as their escapes (the example of RFC 9309, 2.2.2, with a URL in a value). */
function decodeQuery(path: string): string {
  const query = path.indexOf('?');
  if (query < 0 || !path.includes('%', query)) return path;
  const plain = path.slice(query).replace(/%(?:3A|2F|3F|40)/g, (escape) => decodeURIComponent(escape));
  return path.slice(0, query) + plain;
}

/** Matches without backtracking: each piece between wildcards is taken where it comes first. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const first = pieces.shift() ?? '';
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = pieces.pop();
  if (last === undefined) return !anchored || at === path.length;
  for (const piece of pieces) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return anchored ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at);
}
