import type { SiteSummary } from '@dist-crawl/core/db';
import type { Census } from '@dist-crawl/core/frontier';
import { type Column, entry, table } from '../terminal/columns.js';
import { plural, showCount, showDuration } from '../terminal/figures.js';

/** How the demo came out. */
export interface DemoResult {
  readonly pages: number;
  readonly elapsedMs: number;
  readonly census: Census;
  readonly summary: SiteSummary;
}

const CARDS_PER_PAGE = 24;
const LABEL_WIDTH = 10;

/** Rows with a goods_url that another row has, too. */
function duplicateRows({ summary }: DemoResult): number {
  return summary.goodsRows - summary.distinctGoodsUrls;
}

/** What is not as it should be; empty when all is well. */
export function shortcomings(result: DemoResult): string[] {
  const { pages, census, summary } = result;
  const ended = census.done + census.dead;
  const expected = census.done * CARDS_PER_PAGE;
  const duplicates = duplicateRows(result);
  return [
    ...(ended === pages ? [] : [`${showCount(ended)} of ${showCount(pages)} pages came to an end`]),
    ...(summary.goodsRows === expected
      ? []
      : [`${showCount(summary.goodsRows)} goods rows, where ${showCount(expected)} should be`]),
    ...(duplicates === 0 ? [] : [`${plural(duplicates, 'goods row')} twice`]),
    ...(summary.rejectedRows === 0 ? [] : [`MySQL refused ${plural(summary.rejectedRows, 'row')}`]),
  ];
}

/** The end of the demo, for people. */
export function showSummary(result: DemoResult, width: number): string[] {
  const { pages, elapsedMs, census, summary } = result;
  const line = (label: string, text: string): string[] => entry(`  ${label}`, text, { labelWidth: LABEL_WIDTH, width });
  const retried = census.counters['requeued'] ?? 0;
  const nodes = summary.nodes.map(
    ({ node, pages: fetched, rows }) => `${node} ${plural(fetched, 'page')} (${plural(rows, 'row')})`,
  );
  const anyCurrency = summary.samples.some(({ currency }) => currency !== null);
  const columns: Column[] = [
    { title: 'goods_name', most: 30 },
    { title: 'price', align: 'right' },
    ...(anyCurrency ? [{ title: 'currency' }] : []),
    { title: 'goods_url', stretches: true },
  ];
  const rows = summary.samples.map(({ goodsName, price, currency, goodsUrl }) => [
    goodsName ?? '',
    price ?? '',
    ...(anyCurrency ? [currency ?? ''] : []),
    goodsUrl ?? '',
  ]);
  const samples = table(columns, rows, width - 2).map((line) => `  ${line}`);
  return [
    `${plural(pages, 'page')} crawled in ${showDuration(elapsedMs)}.`,
    '',
    ...line('pages', `${showCount(census.done)} done, ${showCount(retried)} retried, ${showCount(census.dead)} dead`),
    ...line('goods', `${plural(summary.goodsRows, 'row')}, ${plural(duplicateRows(result), 'duplicate row')}`),
    ...line('nodes', nodes.join(', ')),
    '',
    ...samples,
  ];
}
