import { CATEGORIES } from './catalogue.js';
import { type Chrome, makeChrome } from './chrome.js';
import { renderDetailPage } from './detail-page.js';
import type { Fault, FaultTarget } from './faults.js';
import { renderListPage } from './list-page.js';
import { encodeMarkup, escapeHtml, type ShopCharset } from './markup.js';
import type { ShopMap } from './shop-map.js';
import { robotsText, sitemapFile, sitemapIndex } from './site-files.js';

/** An answer before any fault of transport touches it. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

export interface PageOptions {
  readonly charset: ShopCharset;
  /** Whether a page number beyond the last gives the last page, as many shops do, instead of 404. */
  readonly clamp: boolean;
}

/** What a URL of the shop points to. */
export type Route =
  | { readonly kind: 'list'; readonly number: number; readonly category: 0 }
  | { readonly kind: 'category'; readonly number: number; readonly category: number }
  | { readonly kind: 'detail'; readonly number: number; readonly category: 0 }
  | { readonly kind: 'other'; readonly path: string };

export function routeOf(url: URL): Route {
  const path = url.pathname;
  const page = Number(url.searchParams.get('page') ?? '1');
  const number = Number.isSafeInteger(page) ? page : 0;
  if (path === '/goods/list') return { kind: 'list', number, category: 0 };
  const [, section, id] = /^\/(goods|category)\/(\d{1,15})$/.exec(path) ?? [];
  if (section === 'goods') return { kind: 'detail', number: Number(id), category: 0 };
  if (section === 'category') return { kind: 'category', number, category: Number(id) };
  return { kind: 'other', path };
}

export function faultTarget(route: Route, attempt: number): FaultTarget {
  return route.kind === 'other' ? { kind: 'other', number: 0, category: 0, attempt } : { ...route, attempt };
}

/** Makes the shop's pages. The same question always gets the same bytes. */
export class ShopPages {
  readonly #map: ShopMap;
  readonly #options: PageOptions;
  readonly #chrome: { readonly [Part in keyof Chrome]: Buffer };

  constructor(map: ShopMap, options: PageOptions) {
    this.#map = map;
    this.#options = options;
    const chrome = makeChrome(options.charset);
    this.#chrome = {
      beforeTitle: encodeMarkup(chrome.beforeTitle, options.charset),
      afterTitle: encodeMarkup(chrome.afterTitle, options.charset),
      afterMain: encodeMarkup(chrome.afterMain, options.charset),
    };
  }

  /** `origin` is how the client named the shop: `http://127.0.0.1:8099`. */
  answer(route: Route, origin: string, fault: Fault | null): Answer {
    switch (route.kind) {
      case 'list':
        return this.#list(route.number, '/goods/list', '全部商品', this.#map.pages, fault, (page) =>
          this.#map.listGoods(page),
        );
      case 'category': {
        const name = CATEGORIES[route.category];
        if (name === undefined) return this.notFound();
        const pages = this.#map.categoryPages(route.category);
        return this.#list(route.number, `/category/${route.category}`, name, pages, fault, (page) =>
          this.#map.categoryGoods(route.category, page),
        );
      }
      case 'detail': {
        if (route.number < 1 || route.number > this.#map.goodsCount) return this.notFound();
        const goods = this.#map.goods(route.number);
        return this.#page(200, `${goods.name} - 示例商城`, renderDetailPage(goods, this.#map.goodsCount));
      }
      case 'other':
        return this.#other(route.path, origin);
    }
  }

  notFound(): Answer {
    return this.#page(
      404,
      '页面不存在 - 示例商城',
      '<h1>404</h1><p class="empty">抱歉，页面不存在或商品已下架。</p>\n',
    );
  }

  #list(
    asked: number,
    path: string,
    heading: string,
    pages: number,
    fault: Fault | null,
    goodsOn: (page: number) => ReturnType<ShopMap['listGoods']>,
  ): Answer {
    if (asked < 1 || (asked > pages && !this.#options.clamp)) return this.notFound();
    const page = Math.min(asked, pages);
    const goods = fault?.kind === 'empty-list' ? [] : goodsOn(page);
    const main = renderListPage({ path, heading, page, pages, goods, newLayout: fault?.kind === 'layout-change' });
    return this.#page(200, `${heading} 第 ${page} 页 - 示例商城`, main);
  }

  #other(path: string, origin: string): Answer {
    if (path === '/') {
      const links = CATEGORIES.map((name, index) => `<li><a href="/category/${index}">${name}</a></li>`).join('\n');
      const main = `<h1>示例商城</h1>\n<p><a href="/goods/list?page=1">全部商品</a></p>\n<ul>${links}</ul>\n`;
      return this.#page(200, '示例商城', main);
    }
    if (path === '/robots.txt') return text('text/plain; charset=utf-8', robotsText(origin));
    if (path === '/sitemap.xml') return text('application/xml', sitemapIndex(origin, this.#map));
    const [, kind, file] = /^\/sitemap-(lists|goods|categories)-(\d{1,9})\.xml$/.exec(path) ?? [];
    const sitemap = kind === undefined ? null : sitemapFile(origin, this.#map, kind, Number(file));
    return sitemap === null ? this.notFound() : text('application/xml', sitemap);
  }

  #page(status: number, title: string, main: string): Answer {
    const { charset } = this.#options;
    const body = Buffer.concat([
      this.#chrome.beforeTitle,
      encodeMarkup(escapeHtml(title), charset),
      this.#chrome.afterTitle,
      encodeMarkup(main, charset),
      this.#chrome.afterMain,
    ]);
    return { status, type: `text/html; charset=${charset}`, body };
  }
}

function text(type: string, body: string): Answer {
  return { status: 200, type, body: Buffer.from(body, 'utf8') };
}
