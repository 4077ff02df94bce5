import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSiteFile, loadSites, pageUrl } from '@dist-crawl/core/sites';
import { describe, expect, it } from 'vitest';
import { compileSite } from '../../../src/extract/compile-site.js';
import { extractPage, type ExtractedPage } from '../../../src/extract/extract-page.js';

const folder = fileURLToPath(new URL('../../../../../sites/examples/', import.meta.url));

async function read(name: string, url: string, html: string): Promise<ExtractedPage> {
  const page = extractPage(await compileSite(loadSiteFile(`${folder}${name}.yaml`)), { html, url, finalUrl: url });
  if (page.outcome !== 'extracted') throw new Error(page.message);
  return page;
}

describe('sample site files', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

  it.each(files)('%s can be loaded, and is called as its file', async (file) => {
    const { site } = await compileSite(loadSiteFile(folder + file));
    expect(`${site.name}.yaml`).toBe(file);
    if (site.pages !== undefined) expect(pageUrl(site, 7)).toContain('7');
  });

  it('do not get in each other’s way, nor in that of the sites that are crawled by default', () => {
    expect(loadSites(folder).length).toBeGreaterThanOrEqual(5);
    expect(loadSites(fileURLToPath(new URL('../', `file://${folder}`))).map(({ site }) => site.name)).toEqual([
      'demo-shop',
    ]);
  });

  it('detail-pages: list pages lead to products, products have rows', async () => {
    const list = await read(
      'detail-pages',
      'https://shop.example/list?page=1',
      `<div class="product-card"><a class="title" href="/product/kettle">Kessel</a></div>
       <a class="next" href="/list?page=2">weiter</a><a href="/about">Über uns</a>`,
    );
    expect(list.goods).toEqual([]);
    expect(list.follow).toEqual(['https://shop.example/product/kettle', 'https://shop.example/list?page=2']);
    const detail = await read(
      'detail-pages',
      'https://shop.example/product/kettle?from=list',
      `<link rel="canonical" href="/product/kettle"><h1>Kessel</h1><p class="sku">Art.-Nr. K-17 </p>
       <div class="gallery"><img src="/1.jpg"><img src="/2.jpg"></div>
       <script type="application/ld+json">{"@type":"Product","name":"x","brand":{"@type":"Brand","name":"Emsa"},
         "offers":{"price":"1299.00","priceCurrency":"EUR"}}</script>`,
    );
    expect(detail.goods).toEqual([
      {
        goods_url: 'https://shop.example/product/kettle',
        goods_name: 'Kessel',
        price: '1299.00',
        currency: 'EUR',
        attributes: {
          brand: 'Emsa',
          sku: 'K-17',
          photos: ['https://shop.example/1.jpg', 'https://shop.example/2.jpg'],
          in_stock: 'unknown',
        },
      },
    ]);
  });

  it('news-json-ld: an article is one row, by its JSON-LD, else by its markup', async () => {
    const url = 'https://news.example/2026/01/15/rain.html';
    const head = `<link rel="canonical" href="${url}"><meta name="description" content="It rains.">`;
    const data = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'Organization', name: 'News' },
        {
          '@type': 'NewsArticle',
          headline: 'Rain',
          datePublished: '2026-01-15T08:00:00+01:00',
          articleSection: 'Weather',
          author: { '@type': 'Person', name: 'A. Cloud' },
        },
      ],
    };
    const told = await read(
      'news-json-ld',
      url,
      `${head}<script type="application/ld+json">${JSON.stringify(data)}</script>`,
    );
    expect(told.goods).toMatchObject([
      {
        goods_url: url,
        goods_name: 'Rain',
        attributes: {
          published: '2026-01-15T08:00:00+01:00',
          author: 'A. Cloud',
          section: 'Weather',
          summary: 'It rains.',
        },
      },
    ]);
    const plain = await read(
      'news-json-ld',
      url,
      `${head}<h1>Rain</h1><time datetime="2026-01-15">today</time><p class="byline">Me</p>`,
    );
    expect(plain.goods).toMatchObject([{ goods_name: 'Rain', attributes: { published: '2026-01-15', author: 'Me' } }]);
    const home = await read(
      'news-json-ld',
      'https://news.example/',
      `<a href="${url}">Rain</a><a href="/video/2.html">x</a>`,
    );
    expect([home.expectsGoods, home.follow]).toEqual([false, [url]]);
  });

  it('gbk-forum: a thread is a row, with its numbers', async () => {
    const page = await read(
      'gbk-forum',
      'http://bbs.example/forumdisplay.php?fid=12&page=1',
      `<table><tbody id="stickthread_1"><tr><td><a class="xst" href="t-1.html">公告</a></td></tr></tbody>
       <tbody id="normalthread_2"><tr><th><a class="xst" href="thread.php?tid=2&sid=a1b2">出售相机</a>
         <span class="price">[售价 3,500 元]</span></th>
       <td class="by"><cite><a>老王</a></cite><em>2026-1-15</em></td>
       <td class="num"><a>12</a><em>3456</em></td></tr></tbody></table>`,
    );
    expect(page.goods).toEqual([
      {
        goods_url: 'http://bbs.example/thread.php?tid=2',
        goods_name: '出售相机',
        price: '3500',
        currency: 'CNY',
        attributes: { author: '老王', posted: '2026-01-15', replies: 12, views: 3456 },
      },
    ]);
  });

  it('script-data: rows and the next page from a script of the page, by its module', async () => {
    const item = { id: 'k-17', title: 'Kettle', priceText: 'from 1,299.00 €', rating: 4.5 };
    const page = await read(
      'script-data',
      'https://shop.example/search?page=1',
      `<script>window.__STATE__ = ${JSON.stringify({ search: { items: [item], next: '/search?page=2' } })};</script>`,
    );
    expect(page.goods).toEqual([
      {
        goods_url: 'https://shop.example/p/k-17',
        goods_name: 'Kettle',
        price: '1299.00',
        currency: 'EUR',
        attributes: { rating: 4.5 },
      },
    ]);
    expect(page.follow).toEqual(['https://shop.example/search?page=2']);
    await expect(read('script-data', 'https://shop.example/search?page=1', '<p>Sorry')).rejects.toThrow(
      'no window.__STATE__ in the page',
    );
  });
});
