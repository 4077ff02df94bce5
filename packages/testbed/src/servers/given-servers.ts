import { createDatabase } from './mysql-client.js';
import type { MySqlServer, PrivateServer, RedisServer } from './private-server.js';

/** A Redis that the user runs, under the interface of ours: it can be used, and neither stopped nor started. */
export function givenRedis(url: string): RedisServer {
  return { ...given('REDIS_URL', url, 6379), kind: 'redis' };
}

/** A MySQL that the user runs, likewise. */
export function givenMysql(url: string): MySqlServer {
  return {
    ...given('DATABASE_URL', url, 3306),
    kind: 'mysql',
    socket: null,
    createDatabase: async (name) => createDatabase(url, name),
  };
}

function given(setting: string, url: string, defaultPort: number): PrivateServer {
  const refuse = async (): Promise<never> => {
    throw new Error(`the server was given by ${setting}; it is not ours to stop or start`);
  };
  const port = new URL(url).port;
  return {
    origin: 'given',
    url,
    port: port === '' ? defaultPort : Number(port),
    pid: null,
    stop: refuse,
    kill: refuse,
    restart: refuse,
    close: async () => undefined,
    detach: async () => undefined,
  };
}
