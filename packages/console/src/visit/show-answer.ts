import type { GoodsRow } from '@dist-crawl/page';
import { type Column, cut, entry, oneLine, table } from '../terminal/columns.js';
import { plural, showBytes, showCount } from '../terminal/figures.js';
import type { Answer, AnswerRobots } from './answer.js';

const LABEL_WIDTH = 12;
const MOST_ROWS = 30;
const MOST_CELL = 40;

/** What a page gave, and what the crawl would do with it, for people. */
export function showAnswer(answer: Answer, width: number): string[] {
  const line = (label: string, text: string): string[] => entry(`  ${label}`, text, { labelWidth: LABEL_WIDTH, width });
  const { finalUrl, redirects, robots, title, goods } = answer;
  if (answer.outcome === 'invalid-url') return [answer.url, ...line('outcome', showOutcome(answer))];
  return [
    answer.url,
    ...line('outcome', showOutcome(answer)),
    ...(answer.status === null && answer.bytes === null ? [] : line('answer', showHttp(answer))),
    ...(redirects.length > 0 && finalUrl !== null ? line('led to', finalUrl) : []),
    ...(robots === null ? [] : line('robots', showRobots(robots))),
    ...line('site', showSite(answer)),
    ...(title === null ? [] : line('title', cut(oneLine(title), width - LABEL_WIDTH))),
    ...line('goods', showGoodsCount(answer)),
    ...showMissing(answer).flatMap((text, index) => line(index === 0 ? 'missing' : '', text)),
    ...(goods.length === 0 ? [] : ['', ...showGoods(goods, finalUrl, width), '']),
    ...line('links', `${showCount(answer.links.length)} found, ${showCount(answer.follow.length)} would be queued`),
  ];
}

function showOutcome({ outcome, message, verdict }: Answer): string {
  if (outcome === 'ok') return 'ok';
  return `${outcome}: ${message ?? ''}${verdict === null ? '' : ` (${CONSEQUENCES[verdict] ?? verdict})`}`;
}

const CONSEQUENCES: Readonly<Record<string, string>> = {
  dead: 'the crawl would give it up at once',
  retry: 'the crawl would try it again later',
  throttled: 'the crawl would pause the site',
  defer: 'the crawl would put it off',
};

function showHttp({ status, bytes, charset, replacementCharacters }: Answer): string {
  const broken = replacementCharacters ?? 0;
  return [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(bytes === null ? [] : [showBytes(bytes)]),
    ...(charset === null ? [] : [charset]),
    ...(broken === 0 ? [] : [`${plural(broken, 'character')} could not be read`]),
  ].join(', ');
}

export function showRobots({ allowed, crawlDelaySeconds, source, rule, line }: AnswerRobots): string {
  const delay = crawlDelaySeconds === null ? '' : `; asks for ${crawlDelaySeconds} s between pages`;
  return `${allowed ? 'allowed' : 'refused'}, ${reasonOf(source, rule, line)}${delay}`;
}

function reasonOf(source: AnswerRobots['source'], rule: string | null, line: number | null): string {
  switch (source) {
    case 'file':
      return rule === null ? 'no rule speaks of it' : `by "${rule}"${line === null ? '' : ` in line ${line}`}`;
    case 'absent':
      return 'there is no robots.txt';
    case 'ignored':
      return 'the site file says to ignore robots.txt';
    case 'unreachable':
      return 'robots.txt can not be had now';
  }
}

function showSite({ site, candidates, inScope, kind }: Answer): string {
  if (candidates.length > 0)
    return `several have it in their scope (${candidates.join(', ')}): choose one with --site; so far goods come from structured data alone`;
  if (site === null) return 'no site file: goods come from structured data in the page alone';
  return `${site}${kind === null ? '' : `, page kind ${kind}`}${inScope ? '' : '; this URL is out of its scope, so the crawl would not queue it'}`;
}

function showGoodsCount({ goods, unreadablePrices }: Answer): string {
  const unread = unreadablePrices === 0 ? '' : `, ${plural(unreadablePrices, 'price')} could not be read`;
  return goods.length === 0 ? `none${unread}` : `${plural(goods.length, 'row')} would be saved${unread}`;
}

/** Fields that some rows lack: a wrong selector shows here. */
function showMissing({ site, goods }: Answer): string[] {
  if (site === null || goods.length === 0) return [];
  const names = new Set([
    'goods_url',
    'goods_name',
    'price',
    ...goods.flatMap(({ attributes }) => Object.keys(attributes)),
  ]);
  // the text of a price stands there only where the price could not be read
  const asked = [...names].filter((name) => !name.endsWith('_text'));
  const lacking = asked.map((name) => ({ name, count: goods.filter((row) => !hasField(row, name)).length }));
  return lacking
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => {
      const whole =
        name === 'goods_url' && count === goods.length ? '; rows are told apart by page and place alone' : '';
      return `${name} in ${count === goods.length ? 'all' : `${showCount(count)} of`} ${plural(goods.length, 'row')}${whole}`;
    });
}

function hasField({ goods_url, goods_name, price, attributes }: GoodsRow, name: string): boolean {
  const columns: Readonly<Record<string, unknown>> = { ...attributes, goods_url, goods_name, price };
  return (columns[name] ?? null) !== null;
}

/** Columns that no row has a value for are left out, and so are rows beyond what fits a screen. */
function showGoods(goods: readonly GoodsRow[], pageUrl: string | null, width: number): string[] {
  const shown = goods.slice(0, MOST_ROWS);
  const attributes = [...new Set(shown.flatMap((row) => Object.keys(row.attributes)))];
  const all: { column: Column; cell: (row: GoodsRow) => string }[] = [
    { column: { title: 'goods_name', most: MOST_CELL }, cell: (row) => row.goods_name ?? '' },
    { column: { title: 'price', align: 'right' }, cell: (row) => row.price ?? '' },
    { column: { title: 'currency' }, cell: (row) => row.currency ?? '' },
    ...attributes.map((name) => ({
      column: { title: name, most: 16 },
      cell: (row: GoodsRow) => showValue(row.attributes[name]),
    })),
    { column: { title: 'goods_url', stretches: true }, cell: (row) => withoutOrigin(row.goods_url ?? '', pageUrl) },
  ];
  const used = all.filter(({ cell }) => shown.some((row) => cell(row) !== ''));
  const lines = table(
    used.map(({ column }) => column),
    shown.map((row) => used.map(({ cell }) => cell(row))),
    width - 2,
  ).map((line) => `  ${line}`);
  const more = goods.length - shown.length;
  return more > 0 ? [...lines, `  and ${plural(more, 'more row')}; --json prints all`] : lines;
}

/** On a page of the same origin the path says it all. */
function withoutOrigin(url: string, pageUrl: string | null): string {
  const origin = pageUrl === null ? null : new URL(pageUrl).origin;
  return origin !== null && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

function showValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
