import { describe, expect, it } from 'vitest';
import { matchRobots } from '../../src/robots/match-robots.js';
import { parseRobots } from '../../src/robots/parse-robots.js';

const ask = (file: string | Buffer, path: string, agent = 'dist-crawl') =>
  matchRobots(parseRobots(Buffer.from(file)), agent, new URL(path, 'http://market.example').href);

describe('the group for a crawler', () => {
  const file = [
    'User-agent: Dist-Crawl/2.0',
    'User-agent: other',
    'Disallow: /own',
    '',
    'User-agent: *',
    'Disallow: /all',
    '',
    'User-agent: dist-crawl # again',
    'Disallow: /again',
  ].join('\n');

  it('is its own, whatever the case and version, joined from all places', () => {
    expect(ask(file, '/own').allowed).toBe(false);
    expect(ask(file, '/again').allowed).toBe(false);
    expect(ask(file, '/all')).toMatchObject({ allowed: true, agent: 'dist-crawl', rule: null });
  });

  it('is that for everybody where it has none of its own', () => {
    expect(ask(file, '/all', 'unknown')).toMatchObject({
      allowed: false,
      agent: '*',
      rule: { text: 'Disallow: /all', line: 6 },
    });
    expect(ask(file, '/own', 'dist').allowed).toBe(true);
  });

  it('may be missing', () => {
    expect(ask('Disallow: /', '/')).toMatchObject({ allowed: true, agent: null });
    expect(ask('', '/').allowed).toBe(true);
  });
});

describe('rules', () => {
  const rules = (...lines: string[]) => ['User-agent: *', ...lines].join('\n');

  it('count by length, and Allow wins a tie', () => {
    expect(ask(rules('Disallow: /tea', 'Allow: /tea/green'), '/tea/green/1').allowed).toBe(true);
    expect(ask(rules('Allow: /tea', 'Disallow: /tea/green'), '/tea/green/1').allowed).toBe(false);
    expect(ask(rules('Disallow: /tea', 'Allow: /tea'), '/tea').allowed).toBe(true);
  });

  it.each([
    ['/*/print', '/tea/print', false],
    ['/*/print', '/print', true],
    ['/*.csv$', '/a.csv', false],
    ['/*.csv$', '/a.csv?x=1', true],
    ['/cart$', '/cart', false],
    ['/cart$', '/cart/', true],
    ['/$', '/', false],
    ['/**/x', '/a/x', false],
    ['*/x', '/a/x', false],
    ['/a*a$', '/a', true],
    ['/a*a$', '/aba', false],
    ['/x$y', '/x$y', false],
    ['/é', '/%C3%A9', false],
    ['/%c3%A9', '/é', false],
    ['/%74ea', '/tea', false],
    ['/a%2fb', '/a/b', true],
    ['/s?u=http://x', '/s?u=http%3A%2F%2Fx', false],
    ['/50%', '/50%25', false],
    ['', '/', true],
  ])('%s is for %s: allowed %s', (pattern, path, allowed) => {
    expect(ask(rules(`Disallow: ${pattern}`), path).allowed).toBe(allowed);
  });

  it('never refuse robots.txt itself', () => {
    expect(ask(rules('Disallow: /'), '/robots.txt').allowed).toBe(true);
  });

  it('with many wildcards are matched at once', () => {
    const started = performance.now();
    expect(ask(rules(`Disallow: /${'*a'.repeat(1000)}b`), `/${'a'.repeat(5000)}`).allowed).toBe(true);
    expect(performance.now() - started).toBeLessThan(200);
  });
});

describe('the file', () => {
  it.each([
    ['lines that end in CR', Buffer.from('User-agent: *\rDisallow: /x\r')],
    ['a byte order mark', Buffer.from('\uFEFFUser-agent: *\nDisallow: /x')],
    ['UTF-16', Buffer.from('\uFEFFUser-agent: *\nDisallow: /x', 'utf16le')],
    ['blanks and odd case', Buffer.from('  USER-AGENT : *\n\tdisAllow:/x # no')],
    ['a misspelling', Buffer.from('User-agent: *\nDissallow: /x')],
    ['missing colons', Buffer.from('User-agent *\nDisallow /x')],
    ['other lines between', Buffer.from('User-agent: *\nHost: x\nSitemap: /s\n\nDisallow: /x')],
  ])('may have %s', (_, file) => {
    expect(ask(file, '/x').allowed).toBe(false);
  });

  it('is read to its 500th KiB', () => {
    const start = `User-agent: *\n${'#'.repeat(600_000)}\n`;
    expect(ask(`${start}Disallow: /x`, '/x').allowed).toBe(true);
    expect(ask(`User-agent: *\nDisallow: /x\n${start}`, '/x').allowed).toBe(false);
  });

  it('lists sitemaps', () => {
    expect(parseRobots(Buffer.from('Sitemap: /茶.xml\nsitemap:https://x.example/s.xml')).sitemaps).toEqual([
      '/茶.xml',
      'https://x.example/s.xml',
    ]);
  });
});

describe('Crawl-delay', () => {
  it.each([
    ['Crawl-delay: 2.5', 2.5],
    ['crawl-delay: .5', 0.5],
    ['Crawl-delay: soon', null],
    ['Crawl-delay: -1', null],
    ['Crawl-delay: 3\nCrawl-delay: 7', 7],
  ])('%j is %s', (line, expected) => {
    expect(ask(`User-agent: *\n${line}\nDisallow: /x`, '/').crawlDelaySeconds).toBe(expected);
  });

  it('belongs to the agents just above it, though rules go on to those below', () => {
    const file = 'User-agent: a\nCrawl-delay: 9\nUser-agent: b\nCrawl-delay: 1\nDisallow: /x';
    expect(ask(file, '/x', 'a')).toMatchObject({ allowed: false, crawlDelaySeconds: 9 });
    expect(ask(file, '/x', 'b')).toMatchObject({ allowed: false, crawlDelaySeconds: 1 });
  });
});
