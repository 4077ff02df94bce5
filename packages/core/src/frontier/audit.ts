import type { RedisClient, ScriptRunner, SiteKeys } from '../redis/index.js';
import * as scripts from './scripts.js';

/** A URL that stands where the invariants do not allow it. */
export interface Violation {
  readonly url: string;
  /** Number of the invariant, after docs/architecture.md. */
  readonly invariant: 1 | 2 | 3;
  readonly what: string;
}

export interface AuditReport {
  readonly checked: number;
  readonly violations: readonly Violation[];
}

/** Where a URL stands, read at one moment. */
interface Standing {
  readonly url: string;
  readonly inQueue: number;
  readonly pending: boolean;
  readonly done: boolean;
  readonly dead: boolean;
  readonly failed: boolean;
  readonly lock: string;
  readonly holders: readonly { readonly worker: string; readonly token: string }[];
  readonly fresh: boolean;
}

const PAGE = 500;

/**
 * Checks the invariants on live keys. Structures are read one after the other, while work goes on; a URL that looks
 * wrong is then looked at again with all structures at one moment, and only what is wrong there is reported.
 */
export async function audit(
  runner: ScriptRunner,
  client: RedisClient,
  keys: SiteKeys,
  exact: boolean,
): Promise<AuditReport> {
  const waiting = new Map<string, number>();
  for (let start = 0; ; start += PAGE) {
    const urls = await client.lrange(keys.taskQueue, start, start + PAGE - 1);
    for (const url of urls) waiting.set(url, (waiting.get(url) ?? 0) + 1);
    if (urls.length < PAGE) break;
  }
  const workers = await workerIds(client, keys);
  const held = new Map<string, string>();
  for (const worker of workers) {
    for (const url of await client.hkeys(keys.inFlight(worker))) held.set(url, worker);
  }
  const failed = new Set(await scanZset(client, keys.failUrlZset));
  const pending = new Set(await scanSet(client, keys.pendingUrlSet));
  const dead = new Set(await scanSet(client, keys.deadUrlSet));

  const suspects = new Set<string>();
  const places = (url: string): number => (waiting.get(url) ?? 0) + (held.has(url) ? 1 : 0) + (failed.has(url) ? 1 : 0);
  for (const url of [...waiting.keys(), ...held.keys(), ...failed]) {
    if (!pending.has(url) || places(url) !== 1 || dead.has(url)) suspects.add(url);
  }
  for (const url of pending) if (places(url) !== 1 || dead.has(url)) suspects.add(url);
  if (exact) for (const url of await doneAmong(client, keys, [...pending])) suspects.add(url);
  for (const url of held.keys()) suspects.add(url);

  const violations: Violation[] = [];
  const list = [...suspects];
  for (let start = 0; start < list.length; start += PAGE) {
    const standings = await locate(runner, client, keys, workers, list.slice(start, start + PAGE));
    for (const standing of standings) violations.push(...judge(standing, exact));
  }
  return { checked: new Set([...pending, ...waiting.keys(), ...held.keys(), ...failed, ...dead]).size, violations };
}

function judge(standing: Standing, exact: boolean): Violation[] {
  const { url, inQueue, pending, done, dead, failed, lock, holders, fresh } = standing;
  const found: Violation[] = [];
  const places = [
    ...(inQueue > 0 ? [inQueue === 1 ? 'waiting' : `waiting ${inQueue} times`] : []),
    ...holders.map(({ worker }) => `in flight at ${worker}`),
    ...(failed ? ['failed'] : []),
  ];
  const total = inQueue + holders.length + (failed ? 1 : 0);
  if (total > 1) found.push({ url, invariant: 1, what: `stands in ${total} places: ${places.join(', ')}` });
  if (pending && total === 0)
    found.push({ url, invariant: 1, what: 'pending, but neither waiting, in flight nor failed' });
  if (!pending && total > 0) found.push({ url, invariant: 1, what: `${places.join(', ')}, but not pending` });
  if (pending && dead) found.push({ url, invariant: 2, what: 'pending and dead' });
  if (exact && pending && done && !fresh)
    found.push({ url, invariant: 2, what: 'pending and done, and not queued afresh' });
  const token = holders[0]?.token;
  if (token !== undefined && lock !== '' && lock !== token) {
    found.push({ url, invariant: 3, what: `locked by ${lock}, in flight with ${token}` });
  }
  return found;
}

async function locate(
  runner: ScriptRunner,
  client: RedisClient,
  keys: SiteKeys,
  workers: readonly string[],
  urls: readonly string[],
): Promise<Standing[]> {
  const rows = await runner.run(scripts.locate, {
    args: { lock_prefix: keys.lockPrefix, in_flight_prefix: keys.inFlightPrefix, number_of_workers: workers.length },
    rest: [...workers, ...urls],
  });
  const records = urls.length === 0 ? [] : await client.hmget(keys.task, ...urls);
  return rows.map(([url, inQueue, pending, done, dead, score, lock, flat], index) => ({
    url,
    inQueue,
    pending: pending === 1,
    done: done === 1,
    dead: dead === 1,
    failed: score !== '',
    lock,
    holders: flat.flatMap((value, place) => (place % 2 === 0 ? [{ worker: value, token: flat[place + 1] ?? '' }] : [])),
    fresh: (records[index] ?? '').includes('"fresh":true'),
  }));
}

/** Workers on the register, and those of whom only an in-flight Hash is left. */
export async function workerIds(client: RedisClient, keys: SiteKeys): Promise<string[]> {
  const ids = new Set(await client.zrange(keys.workers, 0, '-1'));
  const nodes = 'nodes' in client ? client.nodes('master') : [client];
  const pattern = `${keys.inFlightPrefix.replace(/[\\*?[\]]/g, '\\$&')}*`;
  for (const node of nodes) {
    let cursor = '0';
    do {
      const [next, found] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', 1000);
      for (const key of found) ids.add(key.slice(keys.inFlightPrefix.length));
      cursor = next;
    } while (cursor !== '0');
  }
  return [...ids];
}

async function scanSet(client: RedisClient, key: string): Promise<string[]> {
  const members: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = await client.sscan(key, cursor, 'COUNT', 1000);
    members.push(...found);
    cursor = next;
  } while (cursor !== '0');
  return members;
}

async function scanZset(client: RedisClient, key: string): Promise<string[]> {
  const members: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = await client.zscan(key, cursor, 'COUNT', 1000);
    members.push(...found.filter((_, index) => index % 2 === 0));
    cursor = next;
  } while (cursor !== '0');
  return members;
}

async function doneAmong(client: RedisClient, keys: SiteKeys, urls: readonly string[]): Promise<string[]> {
  const done: string[] = [];
  for (let start = 0; start < urls.length; start += PAGE) {
    const part = urls.slice(start, start + PAGE);
    const flags = await client.smismember(keys.doneUrlSet, ...part);
    done.push(...part.filter((_, index) => flags[index] === 1));
  }
  return done;
}
