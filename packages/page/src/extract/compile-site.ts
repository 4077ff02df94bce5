import { ConfigError, type ConfigProblem } from '@dist-crawl/core/errors';
import {
  entryUrls,
  matchesPattern,
  type FollowRule,
  type GoodsBlock,
  type Limits,
  type LoadedSite,
  type Site,
  type SitePath,
} from '@dist-crawl/core/sites';
import { compileField, selectorCompiler, type CompiledField, type SelectorCompiler } from './language/compile-field.js';
import type { Selector } from './language/selector.js';
import { priceReader, type PriceReader } from './price/index.js';

export interface CompiledGoods {
  /** Null: the page as a whole is the card. */
  readonly each: Selector | null;
  readonly fields: readonly CompiledField[];
  /** A page without any row is no failure. */
  readonly optional: boolean;
}

export interface CompiledFollow {
  readonly rule: FollowRule;
  /** Null: every link of the page. */
  readonly selector: Selector | null;
}

/** How pages of one kind are read. */
export interface CompiledKind {
  /** Null: pages that no kind of the site file matches. */
  readonly name: string | null;
  readonly goods: CompiledGoods | 'structured' | 'none';
  readonly follow: readonly CompiledFollow[];
  readonly limits: Limits;
}

/** A site whose selectors are ready to run; make one per process and keep it. */
export interface CompiledSite {
  readonly site: Site;
  readonly readPrice: PriceReader;
  /** The sign before fractions in the site's locale. */
  readonly decimalSign: '.' | ',' | undefined;
  /** How the page at `url` is to be read: by the first kind that matches, else as the site says. */
  kindOf(url: string): CompiledKind;
}

/** Compiles a site's selectors. Throws ConfigError with all that are none, each with its place in the site file. */
export function compileSite(loaded: LoadedSite): CompiledSite {
  const { site } = loaded;
  const problems: ConfigProblem[] = [];
  const compile = selectorCompiler(loaded, problems);
  const plain: CompiledKind = {
    name: null,
    goods: compileGoods(site.goods, compile, ['goods']),
    follow: compileFollow(site.follow, compile, ['follow']),
    limits: site.limits,
  };
  const kinds = site.kinds.map((kind) => ({
    match: kind.match,
    compiled: {
      name: kind.name,
      // what a kind takes from the site is compiled, and complained about, once
      goods: kind.goods === site.goods ? plain.goods : compileGoods(kind.goods, compile, ['kinds', kind.name, 'goods']),
      follow:
        kind.follow === site.follow
          ? plain.follow
          : compileFollow(kind.follow, compile, ['kinds', kind.name, 'follow']),
      limits: kind.limits,
    },
  }));
  if (problems.length > 0) throw new ConfigError(problems);
  const entries: ReadonlySet<string> = new Set(entryUrls(site));
  const entry = entryKind(plain);
  return {
    site,
    readPrice: priceReader(),
    decimalSign: decimalSignOf(site.locale),
    kindOf: (url) =>
      kinds.find(({ match }) => match.some((pattern) => matchesPattern(pattern, url)))?.compiled ??
      (entries.has(url) ? entry : plain),
  };
}

/** Entry pages are there for their links: one without goods is no failure. */
function entryKind(plain: CompiledKind): CompiledKind {
  const { goods } = plain;
  return { ...plain, name: 'entry', goods: typeof goods === 'string' ? goods : { ...goods, optional: true } };
}

function compileGoods(goods: Site['goods'], compile: SelectorCompiler, path: SitePath): CompiledKind['goods'] {
  if (typeof goods === 'string') return goods;
  const { each, fields, optional }: GoodsBlock = goods;
  return {
    each: each === undefined ? null : compile(each, [...path, 'each']),
    fields: Object.entries(fields).map(([name, rules]) =>
      compileField(name, rules, compile, [...path, 'fields', name]),
    ),
    optional,
  };
}

function compileFollow(rules: readonly FollowRule[], compile: SelectorCompiler, path: SitePath): CompiledFollow[] {
  return rules.map((rule, index) => ({
    rule,
    selector: rule.select === undefined ? null : compile(rule.select, [...path, index, 'select']),
  }));
}

function decimalSignOf(locale: string | undefined): '.' | ',' | undefined {
  if (locale === undefined) return undefined;
  const sign = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  return sign === '.' || sign === ',' ? sign : undefined;
}
