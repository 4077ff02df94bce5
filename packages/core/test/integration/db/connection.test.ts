import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  isTransient,
  migrate,
  openDatabase,
  savePages,
  TransientDatabaseError,
  waitForDatabase,
  type Database,
  type DatabaseOptions,
} from '../../../src/db/index.js';
import { crawledPage, goodsRow, later } from './crawled-page.js';
import { startServer, type TestServer } from './server.js';

describe('a database connection', () => {
  let server: TestServer;
  let url: string;
  let opened: Database[] = [];

  beforeAll(async () => {
    server = await startServer();
    url = await server.createDatabase('crawl');
    const database = openDatabase({ url, poolSize: 1 });
    await migrate(database);
    await database.close();
  });
  afterEach(async () => {
    await Promise.all(opened.map((database) => database.close()));
    opened = [];
  });
  afterAll(async () => {
    await server.stop();
  });

  function open(changes: Partial<DatabaseOptions> = {}): Database {
    const database = openDatabase({ url, poolSize: 2, ...changes });
    opened.push(database);
    return database;
  }

  const page = () => [crawledPage(1, { goods: [goodsRow('a')] })];

  it('has UTC, strict mode and READ COMMITTED, whatever the server starts with', async () => {
    await server.query("set global time_zone = '+08:00', global sql_mode = ''");
    try {
      const [rows] = await open({ applicationName: 'test-node' }).run(
        async (session) =>
          await session.execute(sql`select @@time_zone as zone, @@tx_isolation as isolation,
            @@sql_mode like '%STRICT_ALL_TABLES%' as strict, @@character_set_client as charset`),
      );
      expect(rows).toEqual([{ zone: '+00:00', isolation: 'READ-COMMITTED', strict: 1, charset: 'utf8mb4' }]);
    } finally {
      await server.query("set global time_zone = 'SYSTEM', global sql_mode = default");
    }
  });

  it('tells how many connections the server allows', async () => {
    await server.query('set global max_connections = 77');
    expect(await open().maxConnections()).toBe(77);
    await server.query('set global max_connections = 150');
  });

  it('goes on after the server hung up on idle connections', async () => {
    const database = open();
    await Promise.all([database.ping(), database.ping()]);
    const connections = await server.query("select id from information_schema.processlist where db = 'crawl'");
    for (const { id } of connections) await server.query(`kill ${String(id)}`);
    expect((await savePages(database, page())).pages).toBe(1);
  });

  it('goes on after a connection is cut in mid transaction', async () => {
    const database = open();
    let attempts = 0;
    await database.transaction(async (session) => {
      attempts += 1;
      await session.execute(sql`update dist_crawl_pages set status = status + 1`);
      if (attempts > 1) return;
      const [rows] = await session.execute(sql`select connection_id() as id`);
      await server.query(`kill ${String((rows as unknown as { id: number }[])[0]?.id)}`);
    });
    expect(attempts).toBe(2);
    expect(await server.query('select status from dist_crawl_pages', 'crawl')).toEqual([{ status: 201 }]);
  });

  it('says by a typed error that the server is away, and works again when it is back', async () => {
    const database = open();
    await database.ping();
    await server.kill('SIGKILL');
    const error = await savePages(database, page()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TransientDatabaseError);
    expect(error).toMatchObject({ fault: 'connection', address: `127.0.0.1:${server.port}/crawl` });
    expect(isTransient(error)).toBe(true);
    const back = waitForDatabase(database);
    await server.start();
    await back;
    expect((await savePages(database, page())).pages).toBe(1);
  });

  it('loses and doubles nothing when the server is killed while batches are saved', async () => {
    const database = open();
    const batches = Array.from({ length: 60 }, (_, n) =>
      crawledPage(n, { crawlTime: later(n), goods: Array.from({ length: 24 }, (__, i) => goodsRow(`k-${n}-${i}`)) }),
    );
    const saving = batches.map(async (batch) => {
      for (;;) {
        try {
          return await savePages(database, [batch]);
        } catch (error) {
          if (!isTransient(error)) throw error;
          await waitForDatabase(database);
        }
      }
    });
    await Promise.race(saving);
    await server.kill('SIGKILL');
    await server.start();
    await Promise.all(saving);
    expect(
      await server.query("select count(*) as n from dist_crawl_goods where goods_name like 'Goods k-%'", 'crawl'),
    ).toEqual([{ n: 60 * 24 }]);
  });

  it('does not wait for a server that stands still longer than its time limit, nor when closing', async () => {
    const database = open();
    await database.ping();
    process.kill(server.pid, 'SIGSTOP');
    try {
      const startMs = performance.now();
      const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
      const before = sockets();
      await expect(savePages(database, page(), { timeoutMs: 300 })).rejects.toMatchObject({ fault: 'connection' });
      await expect.poll(sockets).toBe(before - 1);
      await database.close();
      expect(performance.now() - startMs).toBeLessThan(4_000);
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
  });

  it('says that the server has no connection left, and goes on when it has', async () => {
    const holders = open({ poolSize: 20 });
    await server.query('set global max_connections = 10');
    try {
      const held = Array.from({ length: 10 }, async () => {
        await holders.run(async (session) => await session.execute(sql`select sleep(1)`));
      });
      const results = Promise.allSettled(held);
      await new Promise((resolve) => setTimeout(resolve, 300));
      // One more than max_connections is let in, for a superuser: it is taken by the next call.
      const more = await Promise.allSettled([1, 2, 3].map(async () => await savePages(open(), page())));
      const faults = more.map((result) =>
        result.status === 'rejected' ? (result.reason as { fault: string }).fault : '',
      );
      expect(faults).toContain('busy');
      await results;
    } finally {
      await holders.close();
      await server.query('set global max_connections = 150');
    }
    expect((await savePages(open(), page())).pages).toBe(1);
  });

  it('is closed twice without harm, and fails calls under way', async () => {
    const database = open();
    const call = database.run(async (session) => await session.execute(sql`select sleep(20)`));
    const failed = expect(call).rejects.toThrow('the database was closed');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const startMs = performance.now();
    await Promise.all([database.close(), database.close()]);
    expect(performance.now() - startMs).toBeLessThan(1_000);
    await failed;
  });

  it('ends all waits by the signal it was opened with', async () => {
    const ending = new AbortController();
    const database = open({ signal: ending.signal });
    const call = database.run(async (session) => await session.execute(sql`select sleep(20)`));
    setTimeout(() => ending.abort(new Error('hard end')), 50);
    await expect(call).rejects.toThrow('hard end');
  });

  it('throws what the work throws, and lends the connection on', async () => {
    const database = open({ poolSize: 1 });
    const failing = database.transaction(async (session) => {
      await session.execute(sql`update dist_crawl_pages set status = 599`);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await server.query('select count(*) as n from dist_crawl_pages where status = 599', 'crawl')).toEqual([
      { n: 0 },
    ]);
    await database.ping();
  });

  describe('waitForDatabase', () => {
    it('gives up at its deadline with the address and no password', async () => {
      const away = open({ url: 'mysql://root:secret@127.0.0.1:1/crawl' });
      const error = await waitForDatabase(away, { deadlineMs: 600 }).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'UNAVAILABLE', service: 'MySQL', address: '127.0.0.1:1/crawl' });
      expect(String(error)).toMatch(
        /^UnavailableError: MySQL at 127\.0\.0\.1:1\/crawl does not answer: .*ECONNREFUSED/,
      );
      expect(String(error)).not.toContain('secret');
    });

    it('says once that the server does not answer, and stops when told to', async () => {
      const said: string[] = [];
      const say = (_fields: object, message: string) => void said.push(message);
      const away = open({ url: 'mysql://root@127.0.0.1:1/crawl' });
      const ending = new AbortController();
      setTimeout(() => ending.abort(new Error('told to stop')), 1_000);
      const waiting = waitForDatabase(away, {
        signal: ending.signal,
        logger: { debug: () => undefined, info: say, warn: say },
      });
      await expect(waiting).rejects.toThrow('told to stop');
      expect(said).toEqual([expect.stringContaining('MySQL at 127.0.0.1:1/crawl does not answer, trying on')]);
    });

    it.each([
      ['a wrong password', 'nobody:secret@', 'crawl', /Access denied for user 'nobody'/],
      ['a database that does not exist', 'root@', 'nowhere', /Unknown database 'nowhere'/],
    ])('takes %s for a wrong setting', async (_name, user, name, reason) => {
      const database = open({ url: `mysql://${user}127.0.0.1:${server.port}/${name}` });
      const error = await waitForDatabase(database).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'CONFIG', problems: [{ where: 'DATABASE_URL' }] });
      expect(String(error)).toMatch(reason);
      expect(String(error)).not.toContain('secret');
    });
  });
});
