import type { ConfigProblem } from '@dist-crawl/core/errors';
import { showPace } from '../pace/show-pace.js';
import { entry, table } from '../terminal/columns.js';
import { plural, showCount, showDuration, showProbability, showRate } from '../terminal/figures.js';
import { explain } from './explain.js';
import type { ProxyFigures } from '@dist-crawl/core/frontier';
import type { DoneStoreStatus, NodeStatus, SiteStatus } from './site-status.js';

const LABEL_WIDTH = 12;
const MOST_NODES = 12;

/** Counters in the order of a URL's life; those that are not listed come last. */
const COUNTER_ORDER = [
  'queued',
  'claimed',
  'done',
  'rows',
  'failed',
  'requeued',
  'throttled',
  'released',
  'recovered',
  'dead',
  'redriven',
];

/** All sites as one table, then what is to be said of each. */
export function showStatus(sites: readonly SiteStatus[], width: number): string[] {
  const rows = sites.map((status) => [
    status.site,
    showCount(status.waiting),
    showCount(status.inFlight),
    showCount(status.failed),
    showCount(status.done),
    showCount(status.dead),
    status.pagesPerSecond === null ? '-' : showRate(status.pagesPerSecond),
    String(status.nodes.filter((node) => node.alive).length),
  ]);
  const right = (title: string) => ({ title, align: 'right' as const });
  const columns = ['waiting', 'in flight', 'failed', 'done', 'dead', 'pages/s', 'nodes'].map(right);
  const overview = table([{ title: 'site', stretches: true }, ...columns], rows, width);
  return [...overview, ...sites.flatMap((status) => ['', ...showSite(status, width)])];
}

/** Sites whose files are wrong are not in the table: daemons that start now would end with these words. */
export function showSiteProblems(problems: readonly ConfigProblem[], width: number): string[] {
  if (problems.length === 0) return [];
  const told = problems.flatMap(({ where, what }) => entry('', `${where}: ${what}`, { labelWidth: 2, width }));
  return ['Left out, as their site files are wrong:', ...told, ''];
}

function showSite(status: SiteStatus, width: number): string[] {
  const line = (label: string, text: string): string[] => entry(`  ${label}`, text, { labelWidth: LABEL_WIDTH, width });
  const reasons = explain(status);
  const { counters, failures } = showCounters(status.counters);
  return [
    status.site,
    ...reasons.flatMap((reason, index) => line(index === 0 ? 'state' : '', reason)),
    ...line('pace', showPace(status.pace)),
    ...line('nodes', showNodes(status.nodes)),
    ...line('scheduler', showScheduler(status)),
    ...status.proxies.flatMap((proxy, index) => line(index === 0 ? 'proxies' : '', showProxy(proxy))),
    ...line('done', showDoneStore(status.done, status.doneStore)),
    ...line('dead', showDead(status)),
    ...(failures === '' ? [] : line('failures', failures)),
    ...(counters === '' ? [] : line('counted', counters)),
    ...line('keys', status.namespace),
  ];
}

function showProxy({ proxy, answered, failed, restsMs, lastError }: ProxyFigures): string {
  const state = restsMs > 0 ? `rests for ${showDuration(restsMs)} more` : 'in use';
  const failures = failed === 0 ? '' : `, ${showCount(failed)} failed (the last: ${lastError ?? 'not known'})`;
  return `${proxy}: ${state}; ${showCount(answered)} answered${failures}`;
}

function showNodes(nodes: readonly NodeStatus[]): string {
  const alive = nodes.filter((node) => node.alive);
  if (alive.length === 0) return 'none alive';
  // two with one tag are told apart by what is new with each start
  const isShared = (tag: string): boolean => alive.filter((other) => other.tag === tag).length > 1;
  const named = alive
    .slice(0, MOST_NODES)
    .map(({ node, tag, workers }) => `${isShared(tag) ? node : tag} (${plural(workers, 'worker')})`);
  const more = alive.length - named.length;
  return named.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

function showScheduler({ scheduler }: SiteStatus): string {
  return scheduler === null ? 'none alive' : `alive (${scheduler.node}), retries by '${scheduler.retryCron}'`;
}

function showDoneStore(done: number, store: DoneStoreStatus): string {
  switch (store.store) {
    case 'set':
      return `${plural(done, 'URL')} in a Set`;
    case 'bloom':
      return `${plural(store.count, 'URL')} in a Bloom filter of ${plural(store.layers, 'layer')}; chance that a new page is skipped: ${showProbability(store.presentError)} now, at most ${showProbability(store.errorRate)}`;
  }
}

function showDead({ dead, deadByKind }: SiteStatus): string {
  if (dead === 0) return 'none';
  if (deadByKind === null) return `${plural(dead, 'URL')}; MySQL, which knows why, does not answer`;
  const kinds = Object.entries(deadByKind)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${kind} ${showCount(count)}`);
  return `${plural(dead, 'URL')}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`;
}

const OF_A_KIND = 'failed:';

/** Failures by their kind stand on a line of their own, the most frequent first. */
function showCounters(all: Readonly<Record<string, number>>): { counters: string; failures: string } {
  const rank = (name: string): number => {
    const place = COUNTER_ORDER.indexOf(name);
    return place === -1 ? COUNTER_ORDER.length : place;
  };
  const show = (entries: readonly (readonly [string, number])[]): string =>
    entries.map(([name, count]) => `${name} ${showCount(count)}`).join(', ');
  const entries = Object.entries(all);
  const failures = entries.filter(([name]) => name.startsWith(OF_A_KIND));
  return {
    counters: show(entries.filter(([name]) => !name.startsWith(OF_A_KIND)).toSorted(([a], [b]) => rank(a) - rank(b))),
    failures: show(
      failures.map(([name, count]) => [name.slice(OF_A_KIND.length), count] as const).toSorted(([, a], [, b]) => b - a),
    ),
  };
}
