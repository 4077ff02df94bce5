import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseSitemap } from '../../src/sitemap/parse-sitemap.js';
import { unpack } from '../../src/sitemap/unpack.js';

const URL_OF_FILE = 'https://market.example/maps/all.xml';
const parse = (text: string) => parseSitemap(text, { url: URL_OF_FILE });

describe('a urlset', () => {
  it('has its pages in queue form, each once, without those of its extensions', () => {
    const text = `<?xml version="1.0"?>
      <urlset xmlns="x" xmlns:image="y" xmlns:xhtml="z">
        <url><loc> https://market.example/a?x=1&amp;utm_source=map#top </loc><priority>!</priority></url>
        <url><image:image><image:loc>https://market.example/a.jpg</image:loc></image:image>
          <xhtml:link rel="alternate" href="https://market.example/de"/>
          <loc><![CDATA[https://market.example/b&c]]></loc></url>
        <url><loc>https://market.example/a?x=1</loc></url>
        <url><loc>/c</loc></url>
        <url><loc>mailto:x@y.example</loc></url><url/><url><loc>&undeclared;</loc></url>
      </urlset>`;
    expect(parse(text)).toEqual({
      kind: 'urlset',
      pages: ['a?x=1', 'b&c', 'c'].map((path) => `https://market.example/${path}`),
      sitemaps: [],
      invalid: 3,
    });
  });

  it('may have a prefix, capitals, and blank lines before the declaration', () => {
    const text = '\n\n<?xml version="1.0"?><S:URLSET><s:Url><s:loc>https://market.example/a</s:loc></s:Url></S:URLSET>';
    expect(parse(text).pages).toEqual(['https://market.example/a']);
  });

  it.each([
    ['<!DOCTYPE urlset [<!ENTITY e "<url><loc>https://market.example/evil</loc></url>">]>', '<loc>/a</loc>'],
    ["<!DOCTYPE urlset [<!-- ]> <x> --><?y <z> ?><!ENTITY e 'a>b'>]>", '<loc>/a</loc>'],
    ['<!DOCTYPE urlset SYSTEM "sitemap.dtd">', '<loc>/a</loc>'],
    ['<br />\n<b>Notice</b>: old in <b>map.php</b><?xml version="1.0"?>', '<loc>/a</loc>'],
    ['', '<loc>/a</loc></url><url><loc>mailto:x</loc>'],
    ['', '<loc>/a</loc><url><loc>/a#b</loc></url>'],
    ['', '<s:loc xmlns:s="x">/a</s:loc>'],
    ['', '<loc>/a</loc><loc xmlns="image">/i.jpg</loc>'],
  ])('is read over what it should not hold: %s %s', (head, entry) => {
    const text = `${head}<urlset xmlns="x"><url>${entry}</url></urlset>`;
    expect(parse(text).pages).toEqual(['https://market.example/a']);
  });

  it('has numbers for characters as XML means them', () => {
    expect(parse('<urlset><url><loc>/a&#150;&#x96;&#233;</loc></url></urlset>').pages).toEqual([
      'https://market.example/a%C2%96%C2%96%C3%A9',
    ]);
  });

  it.each([
    ['a document type without an end', `<!DOCTYPE x [${'<!--'.repeat(200_000)}`],
    ['quotes without an end', `<!DOCTYPE x [${'"<'.repeat(200_000)}`],
    ['entries within entries', `<urlset>${'<url>'.repeat(200_000)}`],
    ['namespaces within namespaces', `<urlset>${'<url xmlns:a="b">'.repeat(50_000)}`],
  ])('is given up in short time for %s', (_, text) => {
    const started = performance.now();
    expect(parse(text).pages).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('that is cut off in an end tag gives the value before it', () => {
    expect(parse('<urlset><url><loc>https://market.example/a</lo').pages).toEqual(['https://market.example/a']);
  });

  it('that is cut off gives what is whole', () => {
    const text = '<urlset><url><loc>https://market.example/a</loc></url><url><loc>https://market.example/b';
    expect(parse(text)).toMatchObject({ pages: ['https://market.example/a'], invalid: 1 });
  });
});

describe('other sitemaps', () => {
  it('an index may name them without an element', () => {
    const text =
      '<sitemapindex><sitemap>\n https://market.example/1.xml \n</sitemap><sitemap>no map</sitemap></sitemapindex>';
    expect(parse(text)).toMatchObject({ sitemaps: ['https://market.example/1.xml'], invalid: 1 });
  });

  it('Atom may be one entry, and names the relation in either form', () => {
    expect(parse('<entry xmlns="a"><link rel="self" href="/s"/><link href="/e"/></entry>')).toMatchObject({
      kind: 'atom',
      pages: ['https://market.example/e'],
    });
    const alternate = 'http://www.iana.org/assignments/relation/alternate';
    expect(parse(`<feed><entry><link rel="${alternate}" href="/e"/></entry></feed>`).pages).toEqual([
      'https://market.example/e',
    ]);
  });

  it('an index names sitemaps, not pages', () => {
    const text = '<sitemapindex><sitemap><loc>https://market.example/1.xml.gz</loc></sitemap></sitemapindex>';
    expect(parse(text)).toMatchObject({ kind: 'index', pages: [], sitemaps: ['https://market.example/1.xml.gz'] });
  });

  it('RSS gives the links of items, or else their guid', () => {
    const text = `<rss><channel><link>https://market.example/</link><image><link>https://market.example/i</link></image>
      <item><link>https://market.example/1</link><guid>https://market.example/g1</guid></item>
      <item><guid isPermaLink="true">https://market.example/2</guid></item>
      <item><guid>tag:3</guid></item>
      <item><media:content><link>https://market.example/m</link></media:content><link>https://market.example/4</link></item>
    </channel></rss>`;
    expect(parse(text)).toMatchObject({
      kind: 'rss',
      pages: ['1', '2', '4'].map((path) => `https://market.example/${path}`),
      invalid: 1,
    });
  });

  it('Atom gives the page of each entry, against xml:base', () => {
    const text = `<feed xml:base="https://market.example/news/"><link href="/"/>
      <entry><link rel="self" href="e1"/><link href="1"/><source><link href="no"/></source></entry>
      <entry xml:base="old/"><link rel="alternate" href="2"/><link rel="alternate" type="text/plain" href="2.txt"/></entry>
    </feed>`;
    expect(parse(text)).toMatchObject({
      kind: 'atom',
      pages: ['https://market.example/news/1', 'https://market.example/news/old/2'],
    });
  });

  it('a list has one URL a line', () => {
    const text = '\uFEFFhttps://market.example/1\r\n\r\n# no\rhttps://market.example/2 \n/relative\n';
    expect(parse(text)).toMatchObject({
      kind: 'text',
      pages: ['https://market.example/1', 'https://market.example/2'],
      invalid: 2,
    });
  });

  it('an error page, and nothing at all, have no pages', () => {
    expect(parse('<!doctype html><a href="https://market.example/">x</a>')).toMatchObject({
      kind: 'unknown',
      pages: [],
    });
    expect(parse('')).toMatchObject({ kind: 'text', pages: [], invalid: 0 });
  });

  it('entities that multiply end at once', () => {
    const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    const started = performance.now();
    parse(`<!DOCTYPE urlset [${entities}]><urlset><url><loc>&e20;</loc></url></urlset>`);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('unpack', () => {
  const text = 'https://market.example/page\n'.repeat(2000);

  it('goes by the bytes, through layers', async () => {
    expect((await unpack(Buffer.from(text), 1e6)).toString()).toBe(text);
    expect((await unpack(gzipSync(gzipSync(text)), 1e6)).toString()).toBe(text);
  });

  it('gives what a file that is cut off has', async () => {
    const noise = Array.from(
      { length: 5000 },
      (_, index) => `https://market.example/${(index * 7919) % 10_007}\n`,
    ).join('');
    const packed = gzipSync(noise);
    const start = (await unpack(packed.subarray(0, packed.length / 2), 1e6)).toString();
    expect(start.length).toBeGreaterThan(1000);
    expect(noise.startsWith(start)).toBe(true);
  });

  it('stops at the limit', async () => {
    expect(await unpack(gzipSync(Buffer.alloc(50_000_000)), 1000)).toHaveLength(1000);
  });
});
