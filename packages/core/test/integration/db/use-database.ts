import { afterAll, beforeAll } from 'vitest';
import { migrate, openDatabase, type Database } from '../../../src/db/index.js';
import { startServer, type TestServer } from './server.js';

/** A migrated database `crawl` on a server of its own, for all tests of a file. */
export function useDatabase(): { readonly server: TestServer; readonly database: Database } {
  let server: TestServer;
  let database: Database;
  beforeAll(async () => {
    server = await startServer();
    database = openDatabase({ url: await server.createDatabase('crawl'), poolSize: 4 });
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });
  return {
    get server() {
      return server;
    },
    get database() {
      return database;
    },
  };
}
