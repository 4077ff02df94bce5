import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, openDatabase, type Database } from '../../../src/db/index.js';
import { startServer, type TestServer } from './server.js';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);

describe('migrate', () => {
  let server: TestServer;
  const opened: Database[] = [];

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await server.stop();
  });

  function open(url: string): Database {
    const database = openDatabase({ url, poolSize: 2 });
    opened.push(database);
    return database;
  }

  async function statementCount(): Promise<number> {
    const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql'));
    const texts = await Promise.all(files.map(async (file) => await readFile(new URL(file, MIGRATIONS), 'utf8')));
    return texts.flatMap((text) => text.split('--> statement-breakpoint')).length;
  }

  async function tables(name: string): Promise<unknown[]> {
    const rows = await server.query(`select table_name as name from information_schema.tables
      where table_schema = '${name}' order by table_name`);
    return rows.map((row) => row['name']);
  }

  it('applies each statement once when four processes start at the same time', async () => {
    const url = await server.createDatabase('at_once');
    const counts = await Promise.all([1, 2, 3, 4].map(async () => await migrate(open(url))));
    expect(counts.reduce((sum, count) => sum + count)).toBe(await statementCount());
    expect(counts.filter((count) => count > 0)).toHaveLength(1);
    expect(await tables('at_once')).toEqual([
      'dist_crawl_dead_urls',
      'dist_crawl_goods',
      'dist_crawl_migrations',
      'dist_crawl_pages',
      'dist_crawl_rejected_rows',
    ]);
  });

  it('goes on where a broken migration stopped', async () => {
    const url = await server.createDatabase('resumed');
    const folder = await mkdtemp(join(tmpdir(), 'dist-crawl-migrations-'));
    try {
      await cp(MIGRATIONS, folder, { recursive: true });
      const file = join(folder, '0000_tables.sql');
      const whole = await readFile(file, 'utf8');
      const parts = whole.split('--> statement-breakpoint');
      const broken = [...parts.slice(0, 2), 'create nonsense', ...parts.slice(3)].join('--> statement-breakpoint');
      await writeFile(file, broken);
      const location = pathToFileURL(`${folder}/`);
      await expect(migrate(open(url), { folder: location })).rejects.toThrow(/SQL syntax/);
      expect(await tables('resumed')).toHaveLength(3);
      await writeFile(file, whole);
      expect(await migrate(open(url), { folder: location })).toBe((await statementCount()) - 2);
      expect(await tables('resumed')).toHaveLength(5);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('takes a statement for applied that ran before its record was written', async () => {
    const url = await server.createDatabase('unrecorded');
    const database = open(url);
    await migrate(database);
    const before = await server.query('show create table dist_crawl_goods', 'unrecorded');
    await server.query('delete from dist_crawl_migrations', 'unrecorded');
    expect(await migrate(database)).toBe(await statementCount());
    expect(await server.query('show create table dist_crawl_goods', 'unrecorded')).toEqual(before);
    expect(await migrate(database)).toBe(0);
  });

  it('keeps text as utf8mb4 in a database that was made as latin1', async () => {
    const url = await server.createDatabase('charsets');
    await migrate(open(url));
    const charsets = await server.query(`select distinct character_set_name as name from information_schema.columns
      where table_schema = 'charsets' and character_set_name is not null`);
    expect(charsets).toEqual([{ name: 'utf8mb4' }]);
  });

  it('stops waiting for another process when it is told to', async () => {
    const url = await server.createDatabase('waiting');
    const digest = await server.query("select sha2('waiting', 256) as digest");
    const holder = open(url);
    const ending = new AbortController();
    await holder.run(async (session) => {
      await session.execute(`select get_lock('dist_crawl_migrate:${String(digest[0]?.['digest']).slice(0, 32)}', 0)`);
      const waiting = migrate(open(url), { signal: ending.signal });
      setTimeout(() => ending.abort(new Error('told to stop')), 100);
      await expect(waiting).rejects.toThrow('told to stop');
    });
    expect(await tables('waiting')).toEqual([]);
  });
});
