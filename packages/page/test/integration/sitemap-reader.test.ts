import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { siteSchema } from '@dist-crawl/core/sites';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSitemapReader, type SitemapReader, type SitemapReport } from '../../src/index.js';

const files = new Map<string, string | Buffer>();
const server = createServer((request, response) => {
  const file = files.get(request.url ?? '');
  response.writeHead(file === undefined ? 404 : 200).end(file);
});
let origin = '';
let reader: SitemapReader;

beforeAll(async () => {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  files.clear();
  const site = siteSchema.parse({ name: 'market', base: origin, allowPrivateAddresses: true });
  reader = createSitemapReader({ site });
  return () => reader.close();
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const at = (path: string): CanonicalUrl => {
  const url = canonicalize(path, { base: origin });
  if (url === null) throw new Error(path);
  return url;
};
const index = (...paths: string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('')}</sitemapindex>`;
const urlset = (...paths: string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`;

async function readAll(path: string, maxSitemaps = 100): Promise<SitemapReport[]> {
  const reports: SitemapReport[] = [];
  for await (const report of reader.read([at(path)], { maxSitemaps })) reports.push(report);
  return reports;
}

describe('reading sitemaps', () => {
  it('follows an index to its children, packed or not, and goes on where one is missing', async () => {
    files.set('/index.xml', index('/a.xml', '/none.xml', '/b.xml.gz', '/index.xml'));
    files.set('/a.xml', urlset('/1', '/2'));
    files.set('/b.xml.gz', gzipSync(urlset('/3')));
    expect(await readAll('/index.xml')).toMatchObject([
      { outcome: 'read', kind: 'index', pages: [], sitemaps: 4 },
      { outcome: 'read', kind: 'urlset', pages: [at('/1'), at('/2')] },
      { outcome: 'http-404', url: at('/none.xml'), status: 404 },
      { outcome: 'read', pages: [at('/3')] },
    ]);
  });

  it('ends where indexes name each other, go on for ever, or are too many', async () => {
    files.set('/x.xml', index('/y.xml'));
    files.set('/y.xml', index('/x.xml'));
    for (let level = 0; level < 9; level += 1) files.set(`/deep${level}`, index(`/deep${level + 1}`));
    files.set('/many.xml', index('/1.xml', '/2.xml', '/3.xml'));
    expect(await readAll('/x.xml')).toHaveLength(2);
    expect((await readAll('/deep0')).at(-1)).toMatchObject({ outcome: 'limit', url: at('/deep4') });
    expect((await readAll('/many.xml', 2)).map(({ outcome }) => outcome)).toEqual(['read', 'http-404', 'limit']);
  });

  it('obeys robots.txt, and takes its Sitemap lines', async () => {
    files.set('/robots.txt', `User-agent: *\nDisallow: /hidden\nSitemap: /a.xml\nSitemap: ${origin}/b.xml`);
    files.set('/hidden.xml', urlset('/1'));
    expect(await readAll('/hidden.xml')).toMatchObject([{ outcome: 'robots' }]);
    expect(await reader.listed()).toEqual([at('/a.xml'), at('/b.xml')]);
  });

  it('rejects with the reason of an abort', async () => {
    const reports = reader.read([at('/a.xml')], { signal: AbortSignal.abort(new Error('stopped')) });
    await expect(reports.next()).rejects.toThrow('stopped');
  });
});
