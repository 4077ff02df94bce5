/** One Allow or Disallow line that says something. */
export interface RobotsRule {
  readonly allow: boolean;
  /** The path pattern as `normalizePattern` gives it. */
  readonly pattern: string;
  /** The line as it stands in the file, and where. */
  readonly text: string;
  readonly line: number;
}

export interface RobotsGroup {
  readonly rules: RobotsRule[];
  /** Crawl-delay in seconds; of several the longest. */
  crawlDelaySeconds: number | null;
}

export interface RobotsFile {
  /** By product token in lower case; `*` is the group for everybody else. Groups of one token are joined. */
  readonly groups: ReadonlyMap<string, RobotsGroup>;
  readonly sitemaps: readonly string[];
}

/** What is read of a file: RFC 9309 (2.5) asks for at least this much. */
export const MAX_ROBOTS_BYTES = 512_000;

/**
 * Reads a robots.txt as RFC 9309 says, and as forgiving as its best known readers are: a byte order mark (or a piece
 * of one) is skipped, UTF-16 is understood, lines end in CR, LF or both, known misspellings and a missing colon count.
 */
export function parseRobots(body: Uint8Array): RobotsFile {
  const groups = new Map<string, RobotsGroup>();
  const sitemaps: string[] = [];
  // Crawl-delay is no member of the RFC's groups: agents on both sides of one share their rules, but not their delays.
  let ruleAgents: RobotsGroup[] = [];
  let delayAgents: RobotsGroup[] = [];
  let last: Directive | null = null;
  for (const [index, text] of textOf(body)
    .split(/\r\n|\r|\n/)
    .entries()) {
    const read = readLine(text);
    if (read === null) continue;
    const { directive, value } = read;
    switch (directive) {
      case 'user-agent': {
        if (last === 'rule') ruleAgents = [];
        if (last !== 'user-agent') delayAgents = [];
        const group = groupFor(groups, agentToken(value));
        ruleAgents.push(group);
        delayAgents.push(group);
        break;
      }
      case 'allow':
      case 'disallow': {
        last = 'rule';
        if (value === '') continue;
        const rule = {
          allow: directive === 'allow',
          pattern: normalizePattern(value),
          text: text.trim(),
          line: index + 1,
        };
        for (const group of new Set(ruleAgents)) group.rules.push({ ...rule, text: readable(rule.text) });
        continue;
      }
      case 'crawl-delay': {
        const seconds = /^(?:\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : null;
        for (const group of delayAgents) {
          if (seconds !== null) group.crawlDelaySeconds = Math.max(seconds, group.crawlDelaySeconds ?? 0);
        }
        if (last === 'user-agent') last = 'crawl-delay';
        continue;
      }
      case 'sitemap':
        if (value !== '') sitemaps.push(readable(value));
        continue;
    }
    last = directive;
  }
  return { groups, sitemaps };
}

type Directive = 'user-agent' | 'rule' | 'crawl-delay';

/** Bytes as Latin-1, one character a byte, so that paths can be compared byte by byte whatever they are encoded in. */
function textOf(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_ROBOTS_BYTES));
  const text = bytes.toString('latin1');
  if (text.startsWith('\xff\xfe')) return latin1(bytes.subarray(2).toString('utf16le'));
  if (text.startsWith('\xfe\xff')) {
    return latin1(
      Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
        .swap16()
        .toString('utf16le'),
    );
  }
  return text.replace(/^\xef(?:\xbb\xbf?)?/, '');
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function readable(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** Misspellings that Google's reader takes too: who wrote them meant the word. */
const SPELLINGS: Readonly<Record<string, 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap'>> = {
  'user-agent': 'user-agent',
  useragent: 'user-agent',
  'user agent': 'user-agent',
  allow: 'allow',
  disallow: 'disallow',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  'crawl-delay': 'crawl-delay',
  crawldelay: 'crawl-delay',
  'crawl delay': 'crawl-delay',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
};

function readLine(line: string) {
  const text = line.replace(/#.*$/, '').trim();
  const colon = text.indexOf(':');
  // Without a colon a line of two words is taken for name and value.
  const words = colon < 0 ? /^(\S+)[ \t]+(\S+)$/.exec(text) : null;
  const name = colon < 0 ? words?.[1] : text.slice(0, colon);
  const directive = SPELLINGS[name?.trim().toLowerCase() ?? ''];
  if (directive === undefined) return null;
  return { directive, value: (colon < 0 ? (words?.[2] ?? '') : text.slice(colon + 1)).trim() };
}

/** The product token that a User-agent line names: what stands before a version or further words, or `*`. */
function agentToken(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*';
  return /^[\w-]*/.exec(value)?.[0].toLowerCase() ?? '';
}

function groupFor(groups: Map<string, RobotsGroup>, token: string): RobotsGroup {
  const known = groups.get(token);
  if (known !== undefined) return known;
  const group = { rules: [], crawlDelaySeconds: null };
  groups.set(token, group);
  return group;
}

/**
 * The form in which paths and patterns are compared (RFC 9309, 2.2.2): bytes beyond ASCII escaped, escapes in upper
 * case, those of unreserved characters decoded. `*` and `$` of a path are escaped, so that they are no wildcards.
 */
export function normalizePath(path: string): string {
  return normalizeEscapes(path).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** As `normalizePath` for a pattern, where `*` is any text and `$` at the end the end. */
function normalizePattern(pattern: string): string {
  return normalizeEscapes(pattern).replace(/\$(?!$)/g, '%24');
}

/** What a URL never holds unescaped: all but visible ASCII, and of that what the URL standard escapes. */
const ESCAPED = /[^!-~]|["<>\\^`{|}]/g;

function normalizeEscapes(text: string): string {
  return text
    .replace(ESCAPED, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/%[0-9a-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
    });
}
