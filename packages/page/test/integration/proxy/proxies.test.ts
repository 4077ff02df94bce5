import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@dist-crawl/core/errors';
import { loadSiteFile } from '@dist-crawl/core/sites';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compileRules } from '../../../src/extract/compile-site.js';
import { createVisitor, type Visitor } from '../../../src/index.js';
import { startHttpProxy, startSocksProxy, type TestProxy } from './proxy-servers.js';

const directory = mkdtempSync(join(tmpdir(), 'proxies-'));
const closing: { close(): Promise<void> }[] = [];
let hits = 0;
const server = createServer((request, response) => {
  hits += 1;
  if (request.url === '/robots.txt') response.writeHead(404).end();
  else if (request.url === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/x' }).end();
  else response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${request.headers.host}</title>`);
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each.close();
  hits = 0;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(directory, { recursive: true });
});

const closed = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const started = await starting;
  closing.push(started);
  return started;
};
const httpProxy = (credentials = {}) => closed(startHttpProxy({ toPort: port, ...credentials }));
const socksProxy = (credentials = {}) => closed(startSocksProxy({ toPort: port, ...credentials }));

/** No name below `.invalid` exists: whoever gets through to one had it looked up by the proxy. */
function visitorThrough(urls: string[], lines: string[] = [], env = {}): Visitor {
  const file = join(directory, 'shop.yaml');
  const scope = "scope: { hosts: ['*.invalid', '169.254.169.254'] }";
  const proxies = ['proxies:', `  urls: ${JSON.stringify(urls)}`, ...lines.map((line) => `  ${line}`)];
  writeFileSync(file, ['name: shop', 'base: http://a.shop.invalid', scope, 'goods: none', ...proxies].join('\n'));
  const visitor = createVisitor({ site: compileRules(loadSiteFile(file)), env });
  closing.push(visitor);
  return visitor;
}

const url = (host: string, path = '/x'): CanonicalUrl => {
  const found = canonicalize(`http://${host}.shop.invalid${path}`);
  if (found === null) throw new Error(host);
  return found;
};
const through = (proxy: TestProxy, credentials = ''): string => `http://${credentials}127.0.0.1:${proxy.port}`;

describe('a site with proxies', () => {
  it('is asked through HTTP CONNECT, user and password included, and the proxy looks names up', async () => {
    const proxy = await httpProxy({ user: 'me', password: 'p@ss:1' });
    const visit = await visitorThrough([through(proxy, 'me:p%40ss%3A1@')]).visit(url('a'));
    expect(visit).toMatchObject({ outcome: 'ok', title: 'a.shop.invalid' });
    expect(new Set(proxy.targets)).toEqual(new Set(['a.shop.invalid:80']));
  });

  it('is asked through SOCKS5, with a password and without', async () => {
    const [open, guarded] = [await socksProxy(), await socksProxy({ user: 'me', password: 'secret' })];
    const [first, second] = [
      visitorThrough([`socks5://127.0.0.1:${open.port}`]),
      visitorThrough([`socks5h://me:secret@127.0.0.1:${guarded.port}`]),
    ];
    expect(await first.visit(url('a'))).toMatchObject({ outcome: 'ok', title: 'a.shop.invalid' });
    expect(await second.visit(url('b'))).toMatchObject({ outcome: 'ok', title: 'b.shop.invalid' });
    expect([open.targets[0], guarded.targets[0]]).toEqual(['a.shop.invalid:80', 'b.shop.invalid:80']);
  });

  it('takes them in turn, or one for each host', async () => {
    const proxies = [await httpProxy(), await socksProxy(), await httpProxy()];
    const urls = proxies.map((proxy, at) => (at === 1 ? `socks5://127.0.0.1:${proxy.port}` : through(proxy)));
    const inTurn = visitorThrough(urls);
    for (let n = 0; n < 8; n += 1) await inTurn.visit(url('a', `/${n}`));
    expect(inTurn.proxyHealth().map(({ answered }) => answered)).toEqual([3, 3, 3]); // robots.txt, too

    const sticky = visitorThrough(urls, ['rotate: sticky']);
    const again = visitorThrough(urls, ['rotate: sticky']);
    for (const host of 'abcdefghijkl') {
      for (const visitor of [sticky, again]) {
        await visitor.visit(url(host, '/1'));
        await visitor.visit(url(host, '/2'));
      }
    }
    const shares = sticky.proxyHealth().map(({ answered }) => answered);
    expect(shares.every((share) => share > 0 && share % 3 === 0)).toBe(true);
    expect(again.proxyHealth().map(({ answered }) => answered)).toEqual(shares);
  });

  it('goes round one that fails, leaves it out after so many failures, and takes it back after its rest', async () => {
    const [good, bad] = [await httpProxy(), await httpProxy()];
    bad.refusing = true;
    const visitor = visitorThrough([through(good), through(bad)], ['failures: 2', 'restSeconds: 1']);
    const badHealth = () => visitor.proxyHealth()[1];
    for (let n = 0; n < 6; n += 1) expect(await visitor.visit(url('a', `/${n}`))).toMatchObject({ outcome: 'ok' });
    expect(badHealth()).toMatchObject({ answered: 0, failed: 2, rests: 1 });
    expect(badHealth()?.restsMs).toBeGreaterThan(0);
    expect(badHealth()?.lastError).toMatch(/^proxy http:\/\/127\.0\.0\.1:\d+: it answered 502 to CONNECT$/);
    bad.refusing = false;
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    for (let n = 0; n < 4; n += 1) await visitor.visit(url('b', `/${n}`));
    expect(badHealth()?.answered).toBeGreaterThan(0);
    expect(badHealth()).toMatchObject({ restsMs: 0, rests: 1 });
  });

  it('is not asked directly when all proxies rest: URLs are put off until the first is back, and no secret is told', async () => {
    const proxy = await socksProxy({ user: 'me', password: 'right' });
    const visitor = visitorThrough([`socks5://me:wrong-secret@127.0.0.1:${proxy.port}`], ['failures: 1']);
    const visits = [await visitor.visit(url('a')), await visitor.visit(url('b'))];
    for (const visit of visits) expect(visit).toMatchObject({ outcome: 'proxy', verdict: 'defer' });
    const [, waiting] = visits;
    expect(waiting && 'retryAfterMs' in waiting && waiting.retryAfterMs).toBeGreaterThan(50_000);
    expect(hits).toBe(0);
    expect(JSON.stringify([visits, visitor.proxyHealth()])).not.toMatch(/wrong-secret|right/);
  });

  it('still refuses a private address that stands in a URL', async () => {
    const proxy = await httpProxy();
    const file = join(directory, 'inside.yaml');
    const target = `http://127.0.0.1:${port}`;
    writeFileSync(file, `name: inside\nbase: ${target}\ngoods: none\nproxies: { urls: ['${through(proxy)}'] }`);
    const visitor = createVisitor({ site: compileRules(loadSiteFile(file)) });
    closing.push(visitor);
    const visit = await visitor.visit(canonicalize(target) ?? url('a'));
    expect(visit).toMatchObject({ outcome: 'private-address' });
    expect([proxy.targets, hits]).toEqual([[], 0]);
  });

  it('still refuses a redirect to a private address, also where the scope has that host', async () => {
    const proxy = await httpProxy();
    const visit = await visitorThrough([through(proxy)]).visit(url('a', '/inside'));
    expect(visit).toMatchObject({ outcome: 'private-address', redirects: [url('a', '/inside')] });
    expect(new Set(proxy.targets)).toEqual(new Set(['a.shop.invalid:80']));
  });

  it('may take them from the environment, one or several; a name that is not set stops the start', async () => {
    const [first, second] = [await httpProxy({ user: 'me', password: 'secret' }), await socksProxy()];
    const env = { SECRET: 'secret', MORE: `http://127.0.0.1:1, socks5://127.0.0.1:${second.port}` };
    const given = ['http://me:${SECRET}@127.0.0.1:' + String(first.port), '${MORE}'];
    const visitor = visitorThrough(given, [], env);
    expect(visitor.proxyHealth().map(({ proxy }) => proxy)).toEqual([
      `http://127.0.0.1:${first.port}`,
      'http://127.0.0.1:1',
      `socks5://127.0.0.1:${second.port}`,
    ]);
    expect(await visitor.visit(url('a'))).toMatchObject({ outcome: 'ok' });
    const problemsOf = (values: object): unknown => {
      try {
        visitorThrough(given, [], values);
        return null;
      } catch (error) {
        return error instanceof ConfigError ? error.problems : error;
      }
    };
    expect(problemsOf({ SECRET: 'x' })).toMatchObject([
      { where: 'proxies.urls.1 of site shop', what: 'MORE is not set' },
    ]);
    expect(JSON.stringify(problemsOf({ SECRET: 'x', MORE: 'ftp://hidden' }))).not.toContain('hidden');
  });
});
