import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStaticServer } from '@dist-crawl/testbed';
import { parse } from 'node-html-parser';
import { afterEach, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from './cluster.js';
import { type DocumentationPackage, fetchDocumentation, POSTGRESQL } from './documentation-package.js';
import { walk } from './independent-walk.js';

interface Case {
  readonly title: string;
  readonly packages: readonly DocumentationPackage[];
  readonly entries: readonly string[];
  readonly leastPages: number;
}

const LANGUAGES = ['zh-cn', 'ja', 'de'];
const CASES: readonly Case[] = [
  { title: 'postgresql-doc-15', packages: [POSTGRESQL], entries: ['/index.html'], leastPages: 1_000 },
  {
    title: 'debian-reference in Chinese, Japanese and German',
    packages: LANGUAGES.map((language) => {
      return { name: `debian-reference-${language}`, folder: 'usr/share/debian-reference' };
    }),
    entries: LANGUAGES.map((language) => `/index.${language}.html`),
    leastPages: 45,
  },
];

let cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
  cleanUp = [];
});

const squeeze = (text: string): string => text.replace(/\s+/gu, ' ').trim();

describe('a real site, crawled wholly by links from its index', () => {
  it.each(CASES)('$title: the pages that another program reaches, and their titles', async (given) => {
    const directory = mkdtempSync(join(tmpdir(), 'dist-crawl-docs-'));
    cleanUp.push(async () => rmSync(directory, { recursive: true }));
    for (const wanted of given.packages) {
      const fetched = await fetchDocumentation(wanted);
      if ('missing' in fetched) return console.warn(`not crawled: ${fetched.missing}`);
      cpSync(fetched.folder, directory, { recursive: true });
    }
    const { tool, pages: reachable } = await walk(directory, given.entries);
    expect(reachable.length).toBeGreaterThanOrEqual(given.leastPages);

    const server = await startStaticServer({ directory });
    cleanUp.push(() => server.stop());
    const cluster: Cluster = await startCluster();
    cleanUp.push(() => cluster.stop());
    writeFileSync(
      join(cluster.sitesDir, 'docs.yaml'),
      `name: docs
namespace: ${cluster.site.namespace}:docs
base: ${server.url}
allowPrivateAddresses: true
entries: [${given.entries.join(', ')}]
follow: [/**.html]
pace: { rate: 5000/s, concurrency: 64 }
goods:
  fields:
    goods_name: title
    heading: h1, h2, h3
`,
    );
    await cluster.scheduler(); // a connection that is lost is not the end of a page
    await cluster.produce('--site', 'docs', '--entries');
    const nodes = await Promise.all(
      ['node-1', 'node-2'].map((tag) =>
        cluster.consumer(tag, { args: ['--site', 'docs', '--until-done'], env: { PROCESS_NUM: '1' } }),
      ),
    );
    for (const node of nodes) expect((await node.exited).code, node.lines().slice(-10).join('\n')).toBe(0);

    const rows = await cluster.query(
      `select p.url, g.goods_name, g.attributes like '%"heading"%' as headed from dist_crawl_pages p
       left join dist_crawl_goods g on g.site = p.site and g.page_url = p.url where p.site = 'docs'`,
    );
    const crawled = new Map(rows.map((row) => [String(row['url']).slice(server.url.length), row]));
    expect([...crawled.keys()].toSorted(), tool).toEqual(reachable.toSorted());
    expect(rows).toHaveLength(reachable.length);
    const wrong = [...crawled].filter(([path, row]) => {
      const title = parse(readFileSync(join(directory, path), 'utf8')).querySelector('title')?.text ?? '';
      return squeeze(title) !== squeeze(String(row['goods_name']));
    });
    expect(wrong).toEqual([]);
    expect(rows.filter((row) => Number(row['headed']) === 1).length).toBeGreaterThan(0.9 * rows.length);

    // What is not reached is what no page links to; what is linked and does not exist is dead, and told.
    const unlinked = readdirSync(directory).filter((name) => name.endsWith('.html') && !crawled.has(`/${name}`));
    const dead = await cluster.query(
      "select kind, count(*) as urls from dist_crawl_dead_urls where site = 'docs' group by kind",
    );
    const figures = { tool, reachable: reachable.length, crawled: rows.length, unlinked, dead };
    console.info(`${given.title}: ${JSON.stringify(figures)}`);
    expect(dead.every(({ kind }) => kind === 'http-404')).toBe(true);
  });
});
