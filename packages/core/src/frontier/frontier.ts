import { createScriptRunner, siteKeys, type RedisClient, type SiteKeys } from '../redis/index.js';
import { audit, type AuditReport } from './audit.js';
import { takeCensus, type Census } from './census.js';
import { createReportCrawlDelay, type ReportCrawlDelay } from './crawl-delay.js';
import { createDoneStore, doneScriptOptions, type Dedup, type DoneStore } from './done-store.js';
import { createIntake, type Intake } from './intake.js';
import { createLeases, type Leases, type Pace } from './leases.js';
import { createOperator, type Operator } from './operator.js';
import { createProxyBook, type ProxyBook } from './proxy-figures.js';
import { createRanges, type Ranges } from './ranges.js';
import { createRecovery, type Recovery } from './recovery.js';
import { createRepair, type Repair } from './repair.js';
import { createReserve, type Reserve } from './reserve.js';
import { createRetries, type Retries } from './retries.js';
import { createSchedulerSigns, type SchedulerSigns } from './scheduler-sign.js';
import { createStandstill, type Standstill } from './standstill.js';
import type { Traps } from './traps.js';

/** What the frontier needs to know of a site. */
export interface FrontierSite {
  readonly name: string;
  readonly namespace: string;
  readonly pace: Pace;
  readonly dedup: Dedup;
  readonly maxPages?: number | undefined;
  readonly maxDepth?: number | undefined;
  readonly traps?: Traps | undefined;
}

/** The URL life cycle of one site in Redis; README.md in this folder states what it guarantees. */
export interface Frontier {
  readonly site: string;
  readonly keys: SiteKeys;
  readonly intake: Intake;
  readonly ranges: Ranges;
  readonly leases: Leases;
  /** A place in the site's pace for a request that is no task. */
  readonly reserve: Reserve;
  readonly reportCrawlDelay: ReportCrawlDelay;
  readonly proxies: ProxyBook;
  readonly retries: Retries;
  readonly recovery: Recovery;
  readonly doneStore: DoneStore;
  readonly operator: Operator;
  readonly repair: Repair;
  readonly standstill: Standstill;
  readonly schedulers: SchedulerSigns;
  census(): Promise<Census>;
  /** Checks the invariants on the live keys. */
  audit(): Promise<AuditReport>;
}

/** @param options.clock - ms, for tests; absent: Redis' own clock */
export function openFrontier(
  client: RedisClient,
  site: FrontierSite,
  { clock }: { clock?: () => number } = {},
): Frontier {
  const { name, namespace, pace, dedup } = site;
  const keys = siteKeys(namespace, { cluster: client.isCluster });
  const runner = createScriptRunner({ client, keys, done: doneScriptOptions(dedup), clock });
  const recovery = createRecovery(runner, client, keys);
  const exact = dedup.store === 'set';
  const standstill = createStandstill(client, keys);
  return {
    site: name,
    keys,
    intake: createIntake(runner, site),
    ranges: createRanges(runner, client, keys),
    leases: createLeases(runner, keys, pace),
    reserve: createReserve(runner, pace),
    reportCrawlDelay: createReportCrawlDelay(runner),
    proxies: createProxyBook(client, keys),
    retries: createRetries(runner, client, keys),
    recovery,
    doneStore: createDoneStore(runner, dedup),
    operator: createOperator(client, keys, standstill),
    standstill,
    schedulers: createSchedulerSigns(client, keys),
    repair: createRepair(runner, client, keys, { recovery, exact }),
    census: () => takeCensus(runner),
    audit: () => audit(runner, client, keys, exact),
  };
}
