import type { LoadedSite } from '@dist-crawl/core/sites';
import {
  type BloomLayer,
  type Census,
  DEAD_AFTER_MS,
  paceNow,
  type PaceNow,
  type ProxyFigures,
  type SchedulerSign,
} from '@dist-crawl/core/frontier';

type Site = LoadedSite['site'];

/** What is known of one site at one moment: the data behind `crawl status`, and what `--json` prints. */
export interface SiteStatus extends Pick<
  Census,
  'waiting' | 'inFlight' | 'failed' | 'pending' | 'done' | 'dead' | 'pause' | 'counters'
> {
  readonly site: string;
  readonly namespace: string;
  /** ISO 8601, of Redis' clock. */
  readonly at: string;
  readonly producerRounds: number;
  /** Pages finished a second between two looks; null after a single one. */
  readonly pagesPerSecond: number | null;
  /** That holds now: by the site file, by hand, or by robots.txt. */
  readonly pace: PaceNow;
  readonly nodes: readonly NodeStatus[];
  readonly doneStore: DoneStoreStatus;
  /** Dead URLs by kind of their last failure; null while MySQL does not answer. */
  readonly deadByKind: Readonly<Record<string, number>> | null;
  /** As all processes saw them; empty where the site has none. */
  readonly proxies: readonly ProxyFigures[];
  /** Why no page ended for a minute though some wait, as a node saw it; null where none said so. */
  readonly standstill: string | null;
  /** A retry-scheduler that is alive; null: none is, and failed URLs stay where they are. */
  readonly scheduler: SchedulerSign | null;
}

/** One process of a consumer: a primary and its workers. */
export interface NodeStatus {
  /** `<tag>~<boot>`: new with each start. */
  readonly node: string;
  readonly tag: string;
  readonly workers: number;
  /** Since the latest sign of life of any of its workers. */
  readonly silentMs: number;
  readonly alive: boolean;
}

export type DoneStoreStatus =
  | { readonly store: 'set' }
  | {
      readonly store: 'bloom';
      readonly layers: number;
      readonly count: number;
      /** The chance now, over all layers, that a page never seen is taken for done. */
      readonly presentError: number;
      /** What the site file allows. */
      readonly errorRate: number;
    };

/** @param earlier - an earlier look at the same site, from which the rate is measured */
export function siteStatus(
  site: Site,
  census: Census,
  {
    earlier,
    deadByKind = null,
    proxies = [],
    standstill = null,
    scheduler = null,
  }: {
    earlier?: Census | undefined;
    deadByKind?: Readonly<Record<string, number>> | null;
    proxies?: readonly ProxyFigures[];
    standstill?: string | null;
    scheduler?: SchedulerSign | null;
  } = {},
): SiteStatus {
  return {
    site: site.name,
    namespace: site.namespace,
    at: new Date(census.now).toISOString(),
    waiting: census.waiting,
    inFlight: census.inFlight,
    failed: census.failed,
    pending: census.pending,
    done: census.done,
    dead: census.dead,
    producerRounds: census.rounds,
    pagesPerSecond: earlier === undefined ? null : rateBetween(earlier, census),
    pace: paceNow(site.pace, census.pace),
    pause: census.pause,
    nodes: nodesOf(census.workers),
    doneStore: doneStoreOf(site, census.bloom),
    deadByKind,
    proxies,
    standstill,
    scheduler,
    counters: census.counters,
  };
}

/** Pages that came to an end a second: saved, or given up. Null where no time lies between the looks. */
export function rateBetween(earlier: Census, later: Census): number | null {
  const seconds = (later.now - earlier.now) / 1000;
  if (seconds <= 0) return null;
  const finished = (census: Census): number => (census.counters['done'] ?? 0) + (census.counters['dead'] ?? 0);
  return Math.max(0, finished(later) - finished(earlier)) / seconds;
}

/** Worker ids are `<nodeTag>~<boot>~<n>`. */
export function nodesOf(workers: Census['workers']): NodeStatus[] {
  const nodes = new Map<string, { workers: number; silentMs: number }>();
  for (const { worker, silentMs } of workers) {
    const end = worker.lastIndexOf('~');
    const node = end === -1 ? worker : worker.slice(0, end);
    const known = nodes.get(node);
    nodes.set(node, {
      workers: (known?.workers ?? 0) + 1,
      silentMs: Math.min(known?.silentMs ?? Number.POSITIVE_INFINITY, silentMs),
    });
  }
  return [...nodes]
    .map(([node, known]) => ({
      node,
      tag: node.split('~', 1)[0] ?? node,
      ...known,
      alive: known.silentMs < DEAD_AFTER_MS,
    }))
    .sort((a, b) => (a.node < b.node ? -1 : 1));
}

function doneStoreOf({ dedup }: Site, layers: readonly BloomLayer[]): DoneStoreStatus {
  if (dedup.store === 'set') return { store: 'set' };
  const allRight = layers.reduce((chance, { presentError }) => chance * (1 - presentError), 1);
  return {
    store: 'bloom',
    layers: layers.length,
    count: layers.reduce((sum, { count }) => sum + count, 0),
    presentError: 1 - allRight,
    errorRate: dedup.errorRate,
  };
}
