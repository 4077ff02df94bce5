import { CATEGORIES, type ShopGoods } from './catalogue.js';
import { type Chrome, makeChrome } from './chrome.js';
import { renderDetailPage } from './detail-page.js';
import type { Fault, FaultTarget } from './faults.js';
import { renderListPage } from './list-page.js';
import { type Encoder, escapeHtml, makeEncoder, type ShopCharset } from './markup.js';
import type { ShopMap } from './shop-map.js';
import { robotsText, sitemapFile, sitemapIndex } from './site-files.js';

/** An answer before any fault of transport touches it. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  /** In parts, since most of a page is the same for all pages and need not be copied. */
  readonly body: readonly Buffer[];
  readonly headers?: Readonly<Record<string, string>>;
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
  readonly #encode: Encoder;
  readonly #chrome: { readonly [Part in keyof Chrome]: Buffer };

  constructor(map: ShopMap, options: PageOptions) {
    this.#map = map;
    this.#options = options;
    this.#encode = makeEncoder(options.charset);
    const chrome = makeChrome(options.charset);
    this.#chrome = {
      beforeTitle: this.#encode(chrome.beforeTitle),
      afterTitle: this.#encode(chrome.afterTitle),
      afterMain: this.#encode(chrome.afterMain),
    };
  }

  /** `origin` is how the client named the shop: `http://127.0.0.1:8099`. */
  answer(route: Route, origin: string, fault: Fault | null): Answer {
    if (route.kind === 'other') return this.#other(route.path, origin);
    if (route.kind === 'category') return this.#category(route.category, route.number, fault);
    if (route.kind === 'detail') return this.#detail(route.number);
    const goodsOn = (page: number): ShopGoods[] => this.#map.listGoods(page);
    return this.#list(route.number, '/goods/list', '全部商品', this.#map.pages, fault, goodsOn);
  }

  #category(category: number, number: number, fault: Fault | null): Answer {
    const name = CATEGORIES[category];
    if (name === undefined) return this.notFound();
    const goodsOn = (page: number): ShopGoods[] => this.#map.categoryGoods(category, page);
    return this.#list(number, `/category/${category}`, name, this.#map.categoryPages(category), fault, goodsOn);
  }

  #detail(id: number): Answer {
    if (id < 1 || id > this.#map.goodsCount) return this.notFound();
    const goods = this.#map.goods(id);
    return this.#page(200, `${goods.name} - 示例商城`, renderDetailPage(goods, this.#map.goodsCount));
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
    goodsOn: (page: number) => ShopGoods[],
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
    const body = [
      this.#chrome.beforeTitle,
      this.#encode(escapeHtml(title)),
      this.#chrome.afterTitle,
      this.#encode(main),
      this.#chrome.afterMain,
    ];
    return { status, type: `text/html; charset=${charset}`, body };
  }
}

function text(type: string, body: string): Answer {
  return { status: 200, type, body: [Buffer.from(body, 'utf8')] };
}
