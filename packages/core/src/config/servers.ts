import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ConfigProblem } from '../errors/index.js';
import { describeRedis, type RedisTarget } from './redis-target.js';
import type { SettingReader } from './setting-reader.js';
import { serverSettings } from './settings.js';

/** Who said where a server is: the user (environment or `.env`), or `crawl services start`. */
export type ServerSource = 'environment' | 'private servers';

export interface ServerAddress {
  /** With the password: only for connecting. */
  readonly url: string;
  readonly source: ServerSource;
}

export type RedisAddress = RedisTarget & { readonly source: ServerSource };

export interface Servers {
  readonly redis: RedisAddress;
  readonly database: ServerAddress;
}

/** The file in which `crawl services start` notes where the private servers listen, from the project's root. */
export const SERVICES_FILE = join('.local', 'services.json');

const servicesSchema = z.object({ redisUrl: z.string().min(1).optional(), databaseUrl: z.string().min(1).optional() });

/** Redis and MySQL, each from the settings or from the private servers. Problems go to the reader. */
export function loadServers(reader: SettingReader, home: string): Servers {
  const redis = readRedis(reader);
  const databaseUrl = reader.read(serverSettings.databaseUrl);
  const needed = redis === 'not set' || !reader.isSet(serverSettings.databaseUrl);
  const services = needed ? readServices(home) : {};
  if ('where' in services) reader.problems.push(services);
  const found = 'where' in services ? undefined : services;
  const standIn = (name: 'redisUrl' | 'databaseUrl'): ServerAddress => {
    const url = found?.[name];
    const setting = serverSettings[name];
    // A broken services file has been reported.
    if (url === undefined && found !== undefined) {
      reader.problems.push({
        where: setting.name,
        what: 'not set, and no private servers run',
        expected: `${setting.kind.expected} in .env, or \`pnpm crawl services start\`, or \`docker compose up\``,
      });
    }
    return { url: url ?? '', source: 'private servers' };
  };
  return {
    redis: redis === 'not set' ? standIn('redisUrl') : { ...redis, source: 'environment' },
    database: reader.isSet(serverSettings.databaseUrl)
      ? { url: databaseUrl ?? '', source: 'environment' } // one that was wrong has been reported
      : standIn('databaseUrl'),
  };
}

/** Redis as one of three settings names it. They are one choice: one in the real environment wins over all of `.env`. */
function readRedis(reader: SettingReader): RedisTarget | 'not set' {
  const { redisUrl, redisSentinels, redisCluster, redisSentinelPassword } = serverSettings;
  const placed = [redisUrl, redisSentinels, redisCluster].flatMap((setting) => {
    const place = reader.placeOf(setting);
    return place === undefined ? [] : [{ setting, ...place }];
  });
  const [first, ...others] = placed.some(({ by }) => by === 'environment')
    ? placed.filter(({ by }) => by === 'environment')
    : placed;
  if (first === undefined) return 'not set';
  for (const { setting, where } of others) {
    const expected = 'one of REDIS_URL, REDIS_SENTINELS and REDIS_CLUSTER';
    reader.problems.push({ where, what: `${setting.name} beside ${first.setting.name}`, expected });
  }
  const sentinelPassword = reader.read(redisSentinelPassword);
  // A value that was wrong has been reported: what stands in for it is never used.
  switch (first.setting.name) {
    case redisSentinels.name: {
      const target = reader.read(redisSentinels);
      return { ...(target ?? NOWHERE), ...(sentinelPassword === undefined ? {} : { sentinelPassword }) };
    }
    case redisCluster.name:
      return reader.read(redisCluster) ?? NOWHERE;
    default:
      return { url: reader.read(redisUrl) ?? '' };
  }
}

const NOWHERE = { url: '' };

/** `redis://127.0.0.1:6379 (private servers)`: for the log line in which a daemon says what it uses. No password. */
export function describeServer(server: ServerAddress | RedisAddress): string {
  return `${describeRedis(server)} (${server.source})`;
}

function readServices(home: string): z.infer<typeof servicesSchema> | ConfigProblem {
  const path = join(home, SERVICES_FILE);
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    return { where: path, what: 'cannot be read', expected: 'the file that `crawl services start` writes' };
  }
  try {
    return servicesSchema.parse(JSON.parse(content));
  } catch {
    return {
      where: path,
      what: 'damaged',
      expected: 'redisUrl and databaseUrl; run `pnpm crawl services start` again',
    };
  }
}
