import { describe, expect, test } from 'vitest';

import { chooseWays, ServersMissingError, type Surroundings } from '../../src/servers/choose-ways.js';
import type { MySqlProgram } from '../../src/servers/mysql-program.js';

const MYSQL: MySqlProgram = { flavour: 'mysql', version: '8.4.3', server: '/usr/sbin/mysqld', installer: null };

/** A machine with nothing on it, but for what a test adds. */
function machine(having: Partial<Surroundings> = {}): Surroundings {
  return {
    findRedis: async () => null,
    findMysql: async () => null,
    dockerRuns: async () => false,
    aptAccess: async () => 'none',
    aptInstall: async () => 'not expected here',
    ...having,
  };
}

describe('chooseWays', () => {
  test('uses given URLs as they are, and looks for the other server alone', async () => {
    const ways = await chooseWays({ redisUrl: 'redis://r:1' }, machine({ findMysql: async () => MYSQL }));
    expect(ways.redis).toEqual({ by: 'given', url: 'redis://r:1' });
    expect(ways.mysql).toEqual({ by: 'program', program: MYSQL });
  });

  test('takes an empty URL as none', async () => {
    const all = machine({ findRedis: async () => '/bin/redis-server', findMysql: async () => MYSQL });
    expect((await chooseWays({ redisUrl: '', databaseUrl: '' }, all)).redis.by).toBe('program');
  });

  test('takes programs before Docker, Docker for what is missing, and apt only without Docker', async () => {
    const ways = await chooseWays(
      {},
      machine({
        findRedis: async () => '/bin/redis-server',
        dockerRuns: async () => true,
        aptAccess: async () => 'root',
      }),
    );
    expect(ways).toEqual({ redis: { by: 'program', program: '/bin/redis-server' }, mysql: { by: 'docker' } });
  });

  test('installs only what is missing, says so first, and uses it', async () => {
    const told: string[] = [];
    let installed: readonly string[] = [];
    const ways = await chooseWays(
      { log: (line) => told.push(line) },
      machine({
        findRedis: async () => '/bin/redis-server',
        findMysql: async () => (installed.length > 0 ? MYSQL : null),
        aptAccess: async () => 'sudo',
        aptInstall: async (_access, packages) => {
          expect(told).toHaveLength(1);
          installed = packages;
          return null;
        },
      }),
    );
    expect(installed).toEqual(['mariadb-server']);
    expect(told[0]).toContain('sudo apt-get install --no-install-recommends mariadb-server');
    expect(told[0]).toContain('neither started nor enabled');
    expect(ways.mysql.by).toBe('program');
  });

  test('names the three ways when there is none', async () => {
    const failure = await chooseWays({}, machine()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServersMissingError);
    expect(String(failure)).toMatchInlineSnapshot(`
      "ServersMissingError: There is no Redis and no MySQL on this machine. Do one of these, then run the command again:
        1. install them: redis-server (6.2 or newer; or valkey-server), and mariadb-server (10.11 or newer; or
           mysql-server 8.4) - Debian, Ubuntu: sudo apt-get install redis-server mariadb-server;
           macOS: brew install redis mariadb - they need not run as services;
        2. start a Docker engine (\`docker info\` must answer);
        3. set REDIS_URL and DATABASE_URL to servers that you have, in the environment or in .env.
      (no Docker engine answers)
      (packages can be installed by this command only on Debian or Ubuntu, as root or with sudo)"
    `);
  });

  test('tells why apt failed', async () => {
    const failing = machine({ aptAccess: async () => 'root', aptInstall: async () => 'E: no network' });
    await expect(chooseWays({}, failing)).rejects.toThrow('apt-get failed: E: no network');
  });
});
