import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSiteFile } from '@dist-crawl/core/sites';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryRobotsCache, createVisitor, type RobotsCache, type Visitor } from '../../src/index.js';
import { compileRules } from '../../src/extract/compile-site.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const directory = mkdtempSync(join(tmpdir(), 'visitor-'));
const answers = new Map<string, Answer>();
const asked: string[] = [];
const visitors: Visitor[] = [];
const warnings: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const answer = answers.get(request.url ?? '');
  if (answer === undefined) response.writeHead(404).end();
  else answer(request, response);
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  answers.clear();
  asked.length = 0;
  warnings.length = 0;
});

afterEach(async () => {
  for (const visitor of visitors.splice(0)) await visitor.close();
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(directory, { recursive: true });
});

function visitorFor(lines: string[] = [], robotsCache?: RobotsCache): Visitor {
  const file = join(directory, `site-${visitors.length}.yaml`);
  const head = ['name: market', `base: ${origin}`, 'allowPrivateAddresses: true'];
  const goods = ['goods:', '  each: .card', '  fields: { goods_name: .name, goods_url: a@href }'];
  writeFileSync(file, [...head, ...goods, ...lines].join('\n'));
  const logger = { warn: (_: object, message: string) => void warnings.push(message) };
  const site = compileRules(loadSiteFile(file));
  const visitor = createVisitor({ site, contact: 'me@team.example', robotsCache, logger });
  visitors.push(visitor);
  return visitor;
}

const at = (path: string): CanonicalUrl => {
  const url = canonicalize(path, { base: origin });
  if (url === null) throw new Error(path);
  return url;
};

const CARD = '<div class="card"><a href="p/1"><span class="name">Kettle</span></a></div>';
const page = (path: string, body: string, head = '') =>
  answers.set(path, (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<title>Market</title>${head}<body>${body}</body>`),
  );
const status = (path: string, code: number, headers = {}) =>
  answers.set(path, (_, response) => response.writeHead(code, headers).end());
const robots = (text: string, code = 200) =>
  answers.set('/robots.txt', (_, response) => response.writeHead(code, { 'content-type': 'text/plain' }).end(text));

describe('a visit', () => {
  it('gives the page with its goods, links, robots verdict and how it was read', async () => {
    page('/list', `${CARD}<a href="/list?page=2&utm_source=x">next</a>`);
    let parsing = 0;
    const visit = await visitorFor().visit(at('/list'), { onParse: () => (parsing += 1) });
    expect(visit).toMatchObject({
      outcome: 'ok',
      finalUrl: at('/list'),
      redirects: [],
      status: 200,
      charset: 'utf-8',
      charsetSource: 'header',
      replacementCharacters: 0,
      title: 'Market',
      goods: [{ goods_name: 'Kettle', goods_url: at('/p/1') }],
      links: [at('/p/1'), at('/list?page=2')],
      robots: { allowed: true, source: 'absent', status: 404 },
    });
    expect(visit.contentHash).toHaveLength(32);
    expect(parsing).toBe(1);
  });

  it('follows redirects and refreshes within the scope, and knows the final URL by its queue form', async () => {
    status('/old', 301, { location: '/moved' });
    page('/moved', 'moved', '<meta http-equiv="refresh" content="0; url=/hop">');
    status('/hop', 302, { location: '/new?utm_source=x' });
    page('/new?utm_source=x', CARD);
    expect(await visitorFor().visit(at('/old'))).toMatchObject({
      outcome: 'ok',
      finalUrl: at('/new'),
      redirects: [at('/old'), at('/moved'), at('/hop')],
    });
  });

  it('takes a refresh for none where it comes late, reloads, or stands on a page with goods', async () => {
    page('/late', 'x', '<meta http-equiv="refresh" content="300; url=/x">');
    page('/reload', 'x', '<meta http-equiv="refresh" content="1; url=/reload">');
    page('/goods', CARD, '<meta http-equiv="refresh" content="0; url=/x">');
    page('/noscript', 'x', '<noscript><meta http-equiv="refresh" content="0; url=/x"></noscript>');
    const visitor = visitorFor();
    for (const path of ['/late', '/reload', '/noscript']) {
      expect(await visitor.visit(at(path))).toMatchObject({ outcome: 'no-goods', verdict: 'retry', title: 'Market' });
    }
    expect(await visitor.visit(at('/goods'))).toMatchObject({ outcome: 'ok' });
    expect(asked).not.toContain('/x');
  });

  it('ends where a redirect or refresh leaves the scope, goes round, or is refused by robots.txt', async () => {
    robots('User-agent: *\nDisallow: /private');
    status('/away', 302, { location: 'http://other.example/' });
    status('/in', 302, { location: '/private/1' });
    page('/refresh', 'x', '<meta http-equiv="refresh" content="0; url=http://other.example/">');
    status('/round', 302, { location: '/round' });
    const visitor = visitorFor();
    expect(await visitor.visit(at('/away'))).toMatchObject({ outcome: 'out-of-scope', verdict: 'retry' });
    expect(await visitor.visit(at('/refresh'))).toMatchObject({ outcome: 'out-of-scope' });
    expect(await visitor.visit(at('/round'))).toMatchObject({ outcome: 'redirect-loop' });
    expect(await visitor.visit(at('/in'))).toMatchObject({ outcome: 'robots', verdict: 'dead' });
    expect(asked).not.toContain('/private/1');
  });

  it('tells what becomes of a URL that failed', async () => {
    status('/busy', 429, { 'retry-after': '7' });
    status('/gone', 410);
    status('/error', 500);
    page('/empty', 'sold out');
    const visitor = visitorFor();
    expect(await visitor.visit(at('/none'))).toMatchObject({ outcome: 'http-404', verdict: 'dead', status: 404 });
    expect(await visitor.visit(at('/gone'))).toMatchObject({ outcome: 'http-410', verdict: 'dead' });
    expect(await visitor.visit(at('/busy'))).toMatchObject({ verdict: 'throttled', retryAfterMs: 7000 });
    expect(await visitor.visit(at('/error'))).toMatchObject({ outcome: 'http-500', verdict: 'retry', status: 500 });
    expect(await visitor.visit(at('/empty'))).toMatchObject({ outcome: 'no-goods', links: [], charset: 'utf-8' });
  });

  it('rejects with the reason of an abort, also while it waits for robots.txt', async () => {
    answers.set('/robots.txt', () => undefined);
    const controller = new AbortController();
    const visit = visitorFor(['limits: { timeoutMs: 500 }']).visit(at('/list'), { signal: controller.signal });
    controller.abort(new Error('lost'));
    await expect(visit).rejects.toThrow('lost');
  });
});

describe('robots.txt', () => {
  it('is obeyed by the product token, named with its rule, and asked for once', async () => {
    robots('User-agent: dist-crawl\nDisallow: /secret\nCrawl-delay: 2');
    page('/list', CARD);
    const visitor = visitorFor();
    const [refused] = await Promise.all([
      visitor.visit(at('/secret')),
      visitor.visit(at('/list')),
      visitor.visit(at('/list')),
    ]);
    expect(refused).toMatchObject({
      outcome: 'robots',
      verdict: 'dead',
      robots: { allowed: false, crawlDelaySeconds: 2, rule: 'Disallow: /secret', line: 2, agent: 'dist-crawl' },
    });
    expect(asked.toSorted()).toEqual(['/list', '/list', '/robots.txt']);
  });

  it('that answers 5xx holds pages back, and one hiccup does not', async () => {
    robots('', 500);
    page('/list', CARD);
    const visitor = visitorFor();
    expect(await visitor.visit(at('/list'))).toMatchObject({ outcome: 'robots-unreachable', verdict: 'defer' });
    expect(asked).not.toContain('/list');
    let tries = 0;
    answers.set('/robots.txt', (_, response) => (tries++ === 0 ? response.destroy() : response.end('')));
    expect(await visitorFor().visit(at('/list'))).toMatchObject({ outcome: 'ok' });
  });

  it('is followed through five redirects, and taken for absent after more', async () => {
    for (let hop = 1; hop < 9; hop += 1) status(`/robots-${hop}`, 302, { location: `/robots-${hop + 1}` });
    status('/robots.txt', 302, { location: '/robots-5' });
    answers.set('/robots-9', (_, response) => response.end('User-agent: *\nDisallow: /'));
    page('/list', CARD);
    expect(await visitorFor().visit(at('/list'))).toMatchObject({ outcome: 'robots' });
    status('/robots.txt', 302, { location: '/robots-4' });
    expect(await visitorFor().visit(at('/list'))).toMatchObject({ outcome: 'ok', robots: { source: 'absent' } });
  });

  it('is shared through the cache, which may fail or hold what nobody can read', async () => {
    robots('User-agent: *\nDisallow: /secret');
    const cache = createMemoryRobotsCache();
    expect(await visitorFor([], cache).visit(at('/secret'))).toMatchObject({ outcome: 'robots' });
    expect(await visitorFor([], cache).visit(at('/secret'))).toMatchObject({ outcome: 'robots' });
    expect(asked).toEqual(['/robots.txt']);
    await cache.set(origin, 'nonsense', 60_000);
    expect(await visitorFor([], cache).visit(at('/secret'))).toMatchObject({ outcome: 'robots' });
    const broken: RobotsCache = {
      get: () => Promise.reject(new Error('away')),
      set: () => Promise.reject(new Error('away')),
    };
    expect(await visitorFor([], broken).visit(at('/secret'))).toMatchObject({ outcome: 'robots' });
  });

  it('that was had once is obeyed while it cannot be had again', async () => {
    robots('', 503);
    page('/list', CARD);
    const cache = createMemoryRobotsCache();
    const record = { fetchedAt: Date.now() - 2 * 3_600_000, status: 200, file: 'User-agent: *\nDisallow: /secret' };
    await cache.set(origin, JSON.stringify(record), 60_000);
    const visitor = visitorFor([], cache);
    expect(await visitor.visit(at('/secret'))).toMatchObject({ outcome: 'robots' });
    expect(await visitor.visit(at('/list'))).toMatchObject({ outcome: 'ok' });
  });

  it('is not asked for where the site file says so', async () => {
    robots('User-agent: *\nDisallow: /');
    page('/list', CARD);
    expect(await visitorFor(['robots: ignore']).visit(at('/list'))).toMatchObject({
      outcome: 'ok',
      robots: { allowed: true, source: 'ignored' },
    });
    expect(asked).toEqual(['/list']);
    expect(warnings).toEqual([expect.stringContaining('robots.txt is ignored')]);
  });
});

describe('a page that was visited before', () => {
  const guarded = (path: string, etag: string, changed: string): void => {
    answers.set(path, (request, response) => {
      const { 'if-none-match': match, 'if-modified-since': since } = request.headers;
      const headers = { etag, 'last-modified': changed, 'content-type': 'text/html' };
      if (match === etag || (match === undefined && since === changed)) response.writeHead(304, headers).end();
      else response.writeHead(200, headers).end(`<title>Market</title>${CARD}`);
    });
  };
  const CHANGED = 'Thu, 15 Jan 2026 08:00:00 GMT';

  it('tells its validators, and is unchanged while they hold', async () => {
    guarded('/list', 'W/"1"', CHANGED);
    const visitor = visitorFor();
    const first = await visitor.visit(at('/list'));
    expect(first).toMatchObject({ outcome: 'ok', etag: 'W/"1"', lastModified: CHANGED });
    const validators = { etag: 'W/"1"', lastModified: CHANGED, of: at('/list') };
    expect(await visitor.visit(at('/list'), { validators })).toMatchObject({ outcome: 'unchanged', status: 304 });
    const dated = { ...validators, etag: null };
    expect(await visitor.visit(at('/list'), { validators: dated })).toMatchObject({ outcome: 'unchanged' });
    guarded('/list', 'W/"2"', CHANGED);
    expect(await visitor.visit(at('/list'), { validators })).toMatchObject({ outcome: 'ok', etag: 'W/"2"' });
  });

  it('shows them only to the URL that gave them', async () => {
    guarded('/new', '"1"', CHANGED);
    status('/old', 301, { location: '/new' });
    const validators = { etag: '"1"', lastModified: null, of: at('/new') };
    expect(await visitorFor().visit(at('/old'), { validators })).toMatchObject({
      outcome: 'unchanged',
      finalUrl: at('/new'),
      redirects: [at('/old')],
    });
    guarded('/old', '"1"', CHANGED);
    expect(await visitorFor().visit(at('/old'), { validators })).toMatchObject({ outcome: 'ok' });
  });

  it('that answers 304 without having been asked is a failure', async () => {
    status('/odd', 304);
    expect(await visitorFor().visit(at('/odd'))).toMatchObject({ outcome: 'http-304', verdict: 'retry' });
  });
});

describe('the look at robots.txt', () => {
  it('is told before the page is asked for, and may end the visit', async () => {
    page('/list', CARD);
    robots('User-agent: *\nCrawl-delay: 7');
    const stop = new AbortController();
    const onRobots = async ({ crawlDelaySeconds }: { crawlDelaySeconds: number | null }): Promise<void> => {
      if (crawlDelaySeconds === 7) stop.abort('too-soon');
    };
    await expect(visitorFor().visit(at('/list'), { onRobots, signal: stop.signal })).rejects.toBe('too-soon');
    expect(asked).toEqual(['/robots.txt']);
  });
});

describe('limits', () => {
  it('hold for the visit, and those of a page kind for its URLs', async () => {
    const wide = CARD.repeat(40);
    for (const path of ['/list', '/big/list', '/plain/list']) page(path, wide);
    const visitor = visitorFor([
      'kinds:',
      '  big: { match: /big/*, limits: { maxBytes: 1024 } }',
      '  plain: { match: /plain/*, limits: { maxElements: 100 } }',
    ]);
    expect(await visitor.visit(at('/list'))).toMatchObject({ outcome: 'ok', goods: { length: 40 } });
    expect(await visitor.visit(at('/big/list'))).toMatchObject({ outcome: 'too-large', verdict: 'retry' });
    expect(await visitor.visit(at('/plain/list'))).toMatchObject({ outcome: 'too-complex', verdict: 'retry' });
  });

  it('end a page that is nested without end, without stalling', async () => {
    page('/deep', '<div>'.repeat(200_000));
    page('/wide', '<b>x</b>'.repeat(200_000));
    const visitor = visitorFor();
    const begun = performance.now();
    expect(await visitor.visit(at('/deep'))).toMatchObject({ outcome: 'too-complex' });
    expect(await visitor.visit(at('/wide'))).toMatchObject({ outcome: 'too-complex' });
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
