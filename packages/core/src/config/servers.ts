import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ConfigProblem } from '../errors/index.js';
import { redactUrl } from '../logging/index.js';
import type { SettingReader } from './setting-reader.js';
import { serverSettings } from './settings.js';

/** Who said where a server is: the user (environment or `.env`), or `crawl services start`. */
export type ServerSource = 'environment' | 'private servers';

export interface ServerAddress {
  /** With the password: only for connecting. */
  readonly url: string;
  readonly source: ServerSource;
}

export interface Servers {
  readonly redis: ServerAddress;
  readonly database: ServerAddress;
}

/** The file in which `crawl services start` notes where the private servers listen, from the project's root. */
export const SERVICES_FILE = join('.local', 'services.json');

const servicesSchema = z.object({ redisUrl: z.string().min(1).optional(), databaseUrl: z.string().min(1).optional() });

/** Redis and MySQL, each from the settings or from the private servers. Problems go to the reader. */
export function loadServers(reader: SettingReader, home: string): Servers {
  const redisUrl = reader.read(serverSettings.redisUrl);
  const databaseUrl = reader.read(serverSettings.databaseUrl);
  const needed = !reader.isSet(serverSettings.redisUrl) || !reader.isSet(serverSettings.databaseUrl);
  const services = needed ? readServices(home) : {};
  if ('where' in services) reader.problems.push(services);
  const found = 'where' in services ? undefined : services;
  const pick = (name: 'redisUrl' | 'databaseUrl', written: string | undefined): ServerAddress => {
    if (written !== undefined) return { url: written, source: 'environment' };
    const url = found?.[name];
    const setting = serverSettings[name];
    // A value that was wrong has been reported; a broken services file, too.
    if (url === undefined && !reader.isSet(setting) && found !== undefined) {
      reader.problems.push({
        where: setting.name,
        what: 'not set, and no private servers run',
        expected: `${setting.kind.expected} in .env, or \`pnpm crawl services start\`, or \`docker compose up\``,
      });
    }
    return { url: url ?? '', source: 'private servers' };
  };
  return { redis: pick('redisUrl', redisUrl), database: pick('databaseUrl', databaseUrl) };
}

/** `redis://127.0.0.1:6379 (private servers)`: for the log line in which a daemon says what it uses. No password. */
export function describeServer({ url, source }: ServerAddress): string {
  return `${redactUrl(url)} (${source})`;
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
