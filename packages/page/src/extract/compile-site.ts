import { ConfigError, type ConfigProblem } from '@dist-crawl/core/errors';
import {
  entryUrls,
  matchesPattern,
  type FollowRule,
  type FoundSites,
  type GoodsBlock,
  type Limits,
  type LoadedSite,
  type Site,
  type SitePath,
} from '@dist-crawl/core/sites';
import { compileField, selectorCompiler, type CompiledField, type SelectorCompiler } from './language/compile-field.js';
import type { Selector } from './language/selector.js';
import { loadModule } from './module/load-module.js';
import type { SiteModule } from './module/site-module.js';
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
  /** Has the last word on what is read; null: the site file points to none. */
  readonly module: SiteModule | null;
  /** How the page at `url` is to be read: by the first kind that matches, else as the site says. */
  kindOf(url: string): CompiledKind;
}

/**
 * Compiles a site's selectors and loads its module.
 * @throws ConfigError with all that is wrong, each with its place in the site file
 */
export async function compileSite(loaded: LoadedSite): Promise<CompiledSite> {
  const problems: ConfigProblem[] = [];
  const noted = (error: unknown): void => {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  };
  const module = await loadModule(loaded).catch(noted);
  try {
    const rules = compileRules(loaded);
    if (module !== undefined) return { ...rules, module };
  } catch (error) {
    noted(error);
  }
  throw new ConfigError(problems);
}

/** Compiles sites as `findSites` found them. @throws ConfigError with what is wrong in any of them, and what was found before */
export async function compileSites({ sites, problems }: FoundSites): Promise<CompiledSite[]> {
  const results = await Promise.allSettled(sites.map((loaded) => compileSite(loaded)));
  const all = [...problems];
  const compiled: CompiledSite[] = [];
  for (const result of results) {
    if (result.status === 'fulfilled') compiled.push(result.value);
    else if (result.reason instanceof ConfigError) all.push(...result.reason.problems);
    else throw result.reason;
  }
  if (all.length > 0) throw new ConfigError(all);
  return compiled;
}

/** A site as its file alone describes it, without its module. @throws ConfigError with all selectors that are none */
export function compileRules(loaded: LoadedSite): CompiledSite {
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
    module: null,
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
