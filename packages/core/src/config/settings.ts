import { availableParallelism, hostname } from 'node:os';
import { LOG_LEVELS } from '../logging/index.js';
import { cronSetting, machineSetting, optionalSetting, type Setting, type SettingGroup, setting } from './setting.js';
import { clusterNodes, sentinels } from './redis-target.js';
import { cron, duration, matching, oneOf, serverUrl, text, wholeNumber } from './value-kinds.js';

/** Where the servers are; found by `loadServers`: Redis has three ways to be named, and private servers may stand in for both. */
export const serverSettings = {
  redisUrl: optionalSetting(
    'REDIS_URL',
    serverUrl('redis://[user:password@]host:port[/database], or rediss:// for TLS', ['redis', 'rediss'], false),
    'the private servers',
    'Redis that holds the frontier, for example redis://127.0.0.1:6379',
  ),
  redisSentinels: optionalSetting(
    'REDIS_SENTINELS',
    sentinels(),
    'none',
    'In place of REDIS_URL, Redis behind sentinels: [user:password@]host:port,host:port/master-name',
  ),
  redisSentinelPassword: optionalSetting(
    'REDIS_SENTINEL_PASSWORD',
    text('a password'),
    'none',
    'Password of the sentinels themselves, where they ask for one',
  ),
  redisCluster: optionalSetting(
    'REDIS_CLUSTER',
    clusterNodes(),
    'none',
    'In place of REDIS_URL, some nodes of a Redis Cluster: [user:password@]host:port,host:port',
  ),
  databaseUrl: optionalSetting(
    'DATABASE_URL',
    serverUrl('mysql://user:password@host:port/database', ['mysql', 'mariadb'], true),
    'the private servers',
    'MySQL or MariaDB that holds the rows, for example mysql://crawl:secret@127.0.0.1:3306/dist_crawl',
  ),
} satisfies SettingGroup;

const nodeTag = matching(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u,
  'up to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit',
);

/** What every role reads. */
export const sharedSettings = {
  sitesDir: setting('SITES_DIR', text('a folder'), 'sites', "Folder of site files, from the project's root"),
  logLevel: setting('LOG_LEVEL', oneOf(LOG_LEVELS), 'info', `How much is logged: ${LOG_LEVELS.join(', ')}`),
  nodeTag: machineSetting(
    'NODE_TAG',
    nodeTag,
    'the host name',
    hostTag,
    'Name of this node, on every row and log line',
  ),
  maxFailures: setting('MAX_FAILURES', wholeNumber(1, 1000), '5', 'Failures after which a URL is given up as dead'),
  crawlerContact: optionalSetting(
    'CRAWLER_CONTACT',
    matching(/^(?:https?:\/\/[^\s()]+|(?:mailto:)?[^\s()@]+@[^\s()@]+)$/u, 'a URL or an e-mail address'),
    'none',
    'How a site can reach you: a URL or e-mail address, sent in the User-Agent',
  ),
  healthHost: setting(
    'HEALTH_HOST',
    matching(/^[A-Za-z0-9.:_-]+$/u, 'a host name or IP address'),
    '127.0.0.1',
    'Address on which /healthz and /readyz answer',
  ),
  healthPort: optionalSetting(
    'HEALTH_PORT',
    wholeNumber(0, 65_535),
    'off',
    'Port of /healthz and /readyz, one for each daemon on a machine; 0 takes any free one',
  ),
  drainDeadlineMs: setting(
    'DRAIN_DEADLINE',
    duration(0, 3_600_000),
    '20s',
    'How long work under way may take to finish after SIGTERM or Ctrl-C',
  ),
} satisfies SettingGroup;

/** What one role reads besides. */
export const roleSettings = {
  producer: {
    queueHighWater: setting(
      'QUEUE_HIGH_WATER',
      wholeNumber(1, 100_000_000),
      '100000',
      'Waiting URLs of a site at which the producer pauses',
    ),
    enqueueBatch: setting('ENQUEUE_BATCH', wholeNumber(1, 1000), '500', 'URLs that the producer queues at once'),
  },
  consumer: {
    processNum: machineSetting(
      'PROCESS_NUM',
      wholeNumber(1, 512),
      'the number of cores',
      () => String(availableParallelism()),
      'Worker processes of a consumer',
    ),
    concurrency: setting('CONCURRENCY', wholeNumber(1, 1000), '16', 'Pages that each worker fetches at once'),
    dbPoolSize: setting('DB_POOL_SIZE', wholeNumber(1, 100), '4', 'MySQL connections of each worker'),
    taskDeadlineMs: setting(
      'TASK_DEADLINE',
      duration(1000, 3_600_000),
      '60s',
      'How long one page may take from claim to saved before it fails',
    ),
    watchdogSilenceMs: setting(
      'WATCHDOG_SILENCE',
      duration(1000, 3_600_000),
      '30s',
      'Silence after which a worker that does not answer is replaced',
    ),
  },
  'retry-scheduler': {
    retryCron: cronSetting('RETRY_CRON', cron(), '*/30 * * * *', 'When failed URLs are queued again'),
    archiveCron: cronSetting('ARCHIVE_CRON', cron(), '0 3 1 * *', 'When old done URLs move from Redis to MySQL'),
    archiveAfterDays: setting(
      'ARCHIVE_AFTER_DAYS',
      wholeNumber(1, 36_500),
      '30',
      'Days after which a done URL is old enough for the archive',
    ),
    recoverEveryMs: setting('RECOVER_EVERY', duration(500, 10_000), '5s', 'How often lost nodes are looked for'),
  },
  console: {},
} satisfies Record<string, SettingGroup>;

export type Role = keyof typeof roleSettings;

/** All settings, as documents list them. */
export function allSettings(): { readonly setting: Setting<unknown>; readonly readBy: Role | 'all' }[] {
  const shared = [
    ...Object.values<Setting<unknown>>(serverSettings),
    ...Object.values<Setting<unknown>>(sharedSettings),
  ];
  const groups: [string, SettingGroup][] = Object.entries(roleSettings);
  return [
    ...shared.map((each) => ({ setting: each, readBy: 'all' as const })),
    ...groups.flatMap(([role, group]) => Object.values(group).map((each) => ({ setting: each, readBy: role as Role }))),
  ];
}

/** The host name in the letters that a node's tag may have. */
function hostTag(): string {
  const tag = hostname()
    .replaceAll(/[^A-Za-z0-9._-]/gu, '-')
    .replace(/^[^A-Za-z0-9]+/u, '')
    .slice(0, 64);
  return tag === '' ? 'node' : tag;
}
