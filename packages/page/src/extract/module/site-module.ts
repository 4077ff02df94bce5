import type { CheerioAPI } from 'cheerio';
import type { GoodsRow } from '../goods-row.js';

/** A page as a site's module gets it: the markup, and what the site file's rules read in it. */
export interface ModulePage {
  /** The URL that was asked for. */
  readonly url: string;
  /** Where redirects ended. */
  readonly finalUrl: string;
  /** Name of the page kind in the site file; null: none matched. */
  readonly kind: string | null;
  readonly title: string | null;
  readonly html: string;
  /** The page in cheerio; made when it is first used. */
  readonly $: CheerioAPI;
  /** Rows that the site file's rules read; the module's to change. */
  readonly goods: GoodsRow[];
  /** All http(s) links of the page, absolute. */
  readonly links: readonly string[];
  /** Links that the site file's `follow` rules found; the module's to change. */
  readonly follow: string[];
  /** Makes an address on the page absolute and canonical; null for what is no http(s) URL. */
  resolve(address: string): string | null;
  /** Reads an amount in a text, by the site's locale and currency; null where there is none. */
  price(text: string): { amount: string; currency: string | null } | null;
}

/** What a module may export. Both run in the worker, for each page, and give their answer at once, not as a promise. */
export interface ModuleFunctions {
  /** The page's rows, in place of those that the rules read. */
  readonly goods?: (page: ModulePage) => unknown;
  /** The links to crawl too, in place of those that the rules found. */
  readonly follow?: (page: ModulePage) => unknown;
}

export const MODULE_FUNCTIONS = ['goods', 'follow'] as const satisfies readonly (keyof ModuleFunctions)[];

/** The JavaScript module of a site file, loaded. */
export interface SiteModule extends ModuleFunctions {
  /** Path as messages show it. */
  readonly file: string;
  /** SHA-256 of its text, in hex: another text may read other rows in the same page. */
  readonly hash: string;
}
