import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { CompiledGoods, CompiledSite } from './compile-site.js';
import { addressOf, baseUrlOf, createResolver, linksOf, type Resolve } from './document/links.js';
import { parseHtml } from './document/parse-html.js';
import { surveyDocument, type Survey } from './document/survey.js';
import { followOf } from './follow.js';
import type { GoodsRow } from './goods-row.js';
import { readCard, type CardData } from './language/read-card.js';
import { runModule } from './module/run-module.js';
import { readArticle } from './structured/article.js';
import { readStructured, type StructuredProduct } from './structured/structured-goods.js';

export interface PageInput {
  readonly html: string;
  /** The URL that was asked for: it decides the kind of the page. */
  readonly url: string;
  /** Where redirects ended: relative links start there. */
  readonly finalUrl: string;
  /** Links away from a page that a producer queued. */
  readonly depth?: number;
  /** By which the page was decoded; default: utf-8. */
  readonly charset?: string;
}

export interface ExtractedPage {
  readonly outcome: 'extracted';
  /** Name of the page kind in the site file; null: none matched. */
  readonly kind: string | null;
  readonly title: string | null;
  readonly goods: readonly GoodsRow[];
  /** Price texts that could not be read; they are kept in the rows' attributes. */
  readonly unreadablePrices: number;
  /** All http(s) links in queue form, each once, in page order, also those out of scope. */
  readonly links: readonly CanonicalUrl[];
  /** Links to crawl, by the follow rules, in scope. */
  readonly follow: readonly CanonicalUrl[];
  /** Rows were to be found here: without any, the page has failed. */
  readonly expectsGoods: boolean;
  readonly base: string;
  readonly canonical: CanonicalUrl | null;
  /** Where a refresh in the markup leads to. */
  readonly refresh: CanonicalUrl | null;
}

/**
 * A page that was not read. `too-complex`: it would take too long, with too many elements, or nested too deep; `module`:
 * the site's JavaScript module failed on it.
 */
export interface UnreadPage {
  readonly outcome: 'too-complex' | 'module';
  readonly message: string;
}

/** Reads title, goods and links of a page by the site's rules and module. What a page holds never makes it throw. */
export function extractPage(compiled: CompiledSite, input: PageInput): ExtractedPage | UnreadPage {
  const { site } = compiled;
  const kind = compiled.kindOf(input.url);
  const parsed = parseHtml(input.html, kind.limits);
  if ('tooComplex' in parsed) return { outcome: 'too-complex', message: parsed.tooComplex };
  const survey = surveyDocument(parsed.document);
  const base = baseUrlOf(survey.baseHref, input.finalUrl);
  const resolve = createResolver(base, site.trackingParameters, input.charset);
  const links = linksOf(survey, resolve);
  const structured = (): StructuredProduct[] =>
    readStructured(survey, {
      resolve,
      readPrice: compiled.readPrice,
      currency: site.currency,
      pageUrl: input.finalUrl,
    });
  let goods: readonly GoodsRow[] = [];
  let unreadablePrices = 0;
  if (kind.goods === 'structured') goods = structured().map(({ row }) => row);
  else if (kind.goods !== 'none')
    ({ goods, unreadablePrices } = readCards(kind.goods, survey, compiled, resolve, structured, input.finalUrl));
  let follow: readonly CanonicalUrl[] = followOf(kind.follow, survey, links, resolve, compiled, input.depth ?? 0);
  if (compiled.module !== null) {
    const answer = runModule(compiled.module, site, {
      url: input.url,
      finalUrl: input.finalUrl,
      kind: kind.name,
      title: survey.title,
      html: input.html,
      document: parsed.document,
      goods: [...goods],
      links,
      follow: [...follow],
      resolve,
      currencyOf: (mark) => compiled.readPrice('1', { currencyText: mark })?.currency ?? null,
      price: (text) => compiled.readPrice(text, { currency: site.currency, decimalSign: compiled.decimalSign }),
    });
    if ('failed' in answer) return { outcome: 'module', message: answer.failed };
    ({ goods, follow } = answer);
  }
  return {
    outcome: 'extracted',
    kind: kind.name,
    title: survey.title,
    goods,
    unreadablePrices,
    links,
    follow,
    expectsGoods: typeof kind.goods !== 'string' && !kind.goods.optional,
    base,
    canonical: survey.canonicalHref === null ? null : resolve(survey.canonicalHref),
    refresh: survey.refreshHref === null ? null : resolve(survey.refreshHref),
  };
}

function readCards(
  { each, fields }: CompiledGoods,
  survey: Survey,
  { site, readPrice, decimalSign }: CompiledSite,
  resolve: Resolve,
  structured: () => StructuredProduct[],
  pageUrl: string,
): { goods: GoodsRow[]; unreadablePrices: number } {
  const { document } = survey;
  const cards = each === null ? [document] : each.all(document);
  const context = { resolve, readPrice, decimalSign, locale: site.locale, currency: site.currency };
  const asksData = fields.some(({ rules }) => rules.some(({ path }) => path !== null));
  const products = asksData ? structured() : [];
  const article = asksData && each === null && products.length === 0 ? readArticle(survey) : null;
  const about: CardData | null = article === null ? null : { node: article, row: { currency: null } };
  const goods: GoodsRow[] = [];
  let unreadablePrices = 0;
  for (const [index, card] of cards.entries()) {
    // of several cards, each has its product only where the page tells of as many
    const product =
      each === null ? (products[0] ?? about) : products.length === cards.length ? products[index] : undefined;
    const reading = readCard(card, fields, context, product ?? null);
    unreadablePrices += reading.unreadablePrices;
    if (reading.row === null) continue;
    // the only row of a page that no field gives an address is where the page is
    const own = each === null && !fields.some(({ name }) => name === 'goods_url');
    goods.push(own ? { ...reading.row, goods_url: addressOf(survey, resolve, pageUrl) } : reading.row);
  }
  return { goods, unreadablePrices };
}
