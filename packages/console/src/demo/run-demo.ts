import { processEnv } from '@dist-crawl/core/config';
import { openDatabase, summary } from '@dist-crawl/core/db';
import { type Frontier, openFrontier } from '@dist-crawl/core/frontier';
import { connectRedis } from '@dist-crawl/core/redis';
import { loadSites } from '@dist-crawl/core/sites';
import { eventually, freePort, type Servers, startServers } from '@dist-crawl/testbed';
import type { Terminal } from '../terminal/terminal.js';
import { showDuration } from '../terminal/figures.js';
import { type Cast, checkAlive, createCast } from './cast.js';
import { crawlToTheEnd } from './crawl-to-the-end.js';
import { type DemoFolders, demoFolders, demoNames, prepareFolders, writeSiteFile } from './folders.js';
import { showHowToLook, writeEnvFile } from './keep.js';
import { type DemoRoles, demoRoles } from './roles.js';
import { stopRunning } from './running.js';
import { type DemoResult, shortcomings, showSummary } from './summary.js';

const SHOP_PORT = 8099;
const SHOP_START_MS = 15_000;

export interface DemoOptions {
  readonly pages: number;
  /** Leaves everything running. */
  readonly keep: boolean;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * The whole product on one machine: servers, shop, producer, two consumer nodes and a retry-scheduler, each a process of its own. Stops what
 * it started, however it ends. Gives whether the crawl came out as it should.
 * @throws RoleDiedError when a daemon ends too early
 */
export async function runDemo({ pages, keep, terminal, signal }: DemoOptions): Promise<boolean> {
  const folders = demoFolders();
  const say = terminal.print;
  const earlier = await stopRunning(folders.recordFile);
  if (earlier.length > 0) say(`Stopped what an earlier demo left running: ${earlier.join(', ')}.`);
  const env = processEnv();
  const began = performance.now();
  const servers = await startServers({
    directory: folders.demo,
    redisUrl: env['REDIS_URL'],
    databaseUrl: env['DATABASE_URL'],
    log: say,
    signal,
  });
  const cast = createCast({ folders, lasting: keep, servers: serverProcesses(servers, folders) });
  let kept = false;
  try {
    say(`${describe(servers)} (${showDuration(performance.now() - began)}).`);
    // Only now: a demo that runs just now has these servers, and its logs are not ours to remove.
    await prepareFolders(folders);
    const result = await playWith({ servers, folders, cast, pages, keep, terminal, signal });
    for (const line of ['', ...showSummary(result, terminal.columns)]) say(line);
    const wrong = shortcomings(result);
    for (const each of wrong) say(`WRONG: ${each}.`);
    if (keep) {
      await servers.detach();
      kept = true;
      for (const line of ['', ...showHowToLook(folders, servers, result)]) say(line);
    }
    return wrong.length === 0;
  } finally {
    if (!kept) {
      await cast.stop();
      await servers.stop();
      await stopRunning(folders.recordFile);
      say('');
      say(`Everything that was started is stopped. Logs: ${folders.logs}`);
    }
  }
}

interface Play extends DemoOptions {
  readonly servers: Servers;
  readonly folders: DemoFolders;
  readonly cast: Cast;
}

async function playWith(play: Play): Promise<DemoResult & { namespace: string }> {
  const { servers, folders, pages, keep, signal } = play;
  const given = servers.redis.origin === 'given' || servers.mysql.origin === 'given';
  const names = demoNames(!given, new Date());
  const shopPort = await freePort(SHOP_PORT);
  const shopUrl = `http://127.0.0.1:${shopPort}`;
  await writeSiteFile(folders, names, shopUrl);
  const addresses = { redisUrl: servers.redis.url, databaseUrl: servers.mysql.url };
  await writeEnvFile(folders, addresses);
  const [loaded] = loadSites(folders.sites);
  if (loaded === undefined) throw new Error(`no site in ${folders.sites}`);

  const redis = connectRedis({ url: addresses.redisUrl, name: 'dist-crawl:demo' });
  const database = openDatabase({ url: addresses.databaseUrl, poolSize: 1, applicationName: 'dist-crawl:demo' });
  try {
    const frontier = openFrontier(redis, loaded.site);
    const roles = demoRoles({ ...addresses, folders, shopPort, pages, stay: keep });
    const { elapsedMs } = await perform(play, roles, frontier, shopUrl);
    return {
      pages,
      elapsedMs,
      namespace: names.namespace,
      census: await frontier.census(),
      summary: await summary(database, names.site, { samples: 5, signal }),
    };
  } finally {
    redis.disconnect();
    await database.close();
  }
}

/** The processes in their order: consumers begin when there is something to do, so that `--until-done` is not done at once. */
async function perform(
  { cast, pages, keep, terminal, signal }: Play,
  roles: DemoRoles,
  frontier: Frontier,
  shopUrl: string,
): Promise<{ elapsedMs: number }> {
  const shop = await cast.start(roles.shop);
  // A shop that ended is an end of the wait, too: what is thrown in there would only count as "not yet".
  await eventually(async () => shop.exit() !== null || (await fetch(`${shopUrl}/-/stats?brief`, { signal })).ok, {
    timeoutMs: SHOP_START_MS,
    signal,
  });
  checkAlive([shop], { mayEnd: false });
  terminal.print(`The demo shop is at ${shopUrl}. Now and then it fails, resets or is slow.`);
  terminal.print(
    `Crawling its pages 1-${pages} with two nodes of two workers; failed pages are retried after seconds.`,
  );
  terminal.print('');
  const began = performance.now();
  const producer = await cast.start(roles.producer);
  await eventually(
    async () => {
      const { rounds, counters } = await frontier.census();
      return rounds > 0 || counters['queued'] !== undefined || producer.exit() !== null;
    },
    { timeoutMs: SHOP_START_MS, signal },
  );
  const consumers = await Promise.all(roles.consumers.map(async (role) => cast.start(role)));
  const scheduler = await cast.start(roles.scheduler);
  await crawlToTheEnd({ shop, producer, consumers, scheduler }, { frontier, pages, stay: keep, terminal, signal });
  return { elapsedMs: performance.now() - began };
}

function describe({ redis, mysql }: Servers): string {
  const where = (origin: Servers['redis']['origin']): string => {
    switch (origin) {
      case 'given':
        return 'as given by the environment';
      case 'process':
        return 'a private server';
      case 'docker':
        return 'a container';
    }
  };
  return `Redis (${where(redis.origin)}) and MySQL (${where(mysql.origin)}) are up`;
}

/** Their command lines name the demo's folder. */
function serverProcesses({ redis, mysql }: Servers, { demo }: DemoFolders) {
  return [redis, mysql].flatMap(({ kind, pid }) => (pid === null ? [] : [{ name: kind, pid, mark: demo }]));
}
