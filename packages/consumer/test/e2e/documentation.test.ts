import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStaticServer, type StaticServer } from '@dist-crawl/testbed';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from './cluster.js';
import { fetchDocumentation, POSTGRESQL } from './documentation-package.js';

const documentation = await fetchDocumentation(POSTGRESQL);
if ('missing' in documentation) console.warn(`real documentation is not crawled: ${documentation.missing}`);

const squeeze = (text: string): string => text.replace(/\s+/gu, ' ').trim();

describe.skipIf('missing' in documentation)(`the HTML of ${POSTGRESQL.name}, written by others`, () => {
  let server: StaticServer;
  let cluster: Cluster;
  const folder = 'folder' in documentation ? documentation.folder : '';
  const files = folder === '' ? [] : readdirSync(folder).filter((name) => name.endsWith('.html'));

  beforeAll(async () => {
    server = await startStaticServer({ directory: folder });
    cluster = await startCluster();
    writeFileSync(
      join(cluster.sitesDir, 'docs.yaml'),
      `name: docs
namespace: ${cluster.site.namespace}:docs
base: ${server.url}
allowPrivateAddresses: true
pace: { rate: 5000/s, concurrency: 64 }
goods:
  each: html
  fields:
    goods_name: title
    heading: h1, h2, h3
`,
    );
    writeFileSync(join(cluster.sitesDir, 'urls.txt'), files.map((name) => `${server.url}/${name}\n`).join(''));
  });
  afterAll(async () => {
    await cluster.stop();
    await server.stop();
  });

  it('is crawled whole from a URL list: every page done, one row a page, titles as an independent parser reads them', async () => {
    expect(files.length).toBeGreaterThan(1_000);
    await cluster.produce('--site', 'docs', '--urls', join(cluster.sitesDir, 'urls.txt'));
    const node = await cluster.consumer('node-1', { args: ['--site', 'docs', '--until-done'] });
    expect((await node.exited).code, node.lines().slice(-10).join('\n')).toBe(0);
    expect(await cluster.query("select count(*) as dead from dist_crawl_dead_urls where site = 'docs'")).toEqual([
      { dead: 0 },
    ]);
    expect(await cluster.query("select count(*) as pages from dist_crawl_pages where site = 'docs'")).toEqual([
      { pages: files.length },
    ]);

    const rows = await cluster.query(
      `select page_url, goods_name, attributes like '%"heading"%' as headed from dist_crawl_goods where site = 'docs'`,
    );
    const found = new Map(rows.map((row) => [String(row['page_url']).split('/').at(-1), row]));
    expect(rows).toHaveLength(files.length);
    const wrong = files.filter((name) => {
      const document = parse(readFileSync(join(folder, name), 'utf8'));
      return squeeze(document.querySelector('title')?.text ?? '') !== squeeze(String(found.get(name)?.['goods_name']));
    });
    expect(wrong).toEqual([]);
    const headings = rows.filter((row) => row['headed'] === 1);
    expect(headings.length).toBeGreaterThan(files.length * 0.9);
  });
});
