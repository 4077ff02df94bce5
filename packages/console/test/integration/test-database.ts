import { openDatabase } from '@dist-crawl/core/db';

/** An empty database of a test file's own, on the server of the run. */
export async function createTestDatabase(
  serverUrl: string,
  name: string,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const run = async (statement: string): Promise<void> => {
    const server = openDatabase({ url: serverUrl, poolSize: 1 });
    try {
      await server.run(async (session) => session.execute(statement));
    } finally {
      await server.close();
    }
  };
  await run(`drop database if exists ${name}`);
  await run(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: async () => run(`drop database ${name}`) };
}
