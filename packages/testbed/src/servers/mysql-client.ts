import { type Connection, createConnection } from 'mysql2/promise';

/** The user and the database that every private MySQL has. */
export const MYSQL_USER = 'dist_crawl';
const MYSQL_DATABASE = 'dist_crawl';

/** In both MySQL 8.4 and MariaDB 10.11; compares text by Unicode rules, without a difference of case. */
const DATABASE_OPTIONS = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci';

export function mysqlUrl(port: number, password: string): string {
  return `mysql://${MYSQL_USER}:${password}@127.0.0.1:${port}/${MYSQL_DATABASE}`;
}

/** Whether a MySQL answers there and takes the password. */
export async function mysqlAnswers(url: string): Promise<boolean> {
  try {
    await withConnection(url, async (connection) => connection.query('SELECT 1'));
    return true;
  } catch {
    return false;
  }
}

/** Creates an empty database, dropping one of that name, and gives the URL with its name. */
export async function createDatabase(url: string, name: string): Promise<string> {
  if (!/^[a-z][a-z0-9_]{0,62}$/i.test(name)) throw new RangeError(`not a plain database name: ${name}`);
  await withConnection(url, async (connection) => {
    await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
    await connection.query(`CREATE DATABASE \`${name}\` ${DATABASE_OPTIONS}`);
  });
  const named = new URL(url);
  named.pathname = `/${name}`;
  return named.href;
}

/** Runs statements one after the other, each on a connection that has no database chosen. */
export async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const server = new URL(url);
  server.pathname = '/';
  await withConnection(server.href, async (connection) => {
    for (const statement of statements) await connection.query(statement);
  });
}

/**
 * What makes the database and its user, safe to run at every start. The server is private, so its one user may do
 * everything: tests change global variables and kill connections.
 */
export function setUpStatements(password: string, hosts: readonly string[]): string[] {
  return [
    `CREATE DATABASE IF NOT EXISTS \`${MYSQL_DATABASE}\` ${DATABASE_OPTIONS}`,
    ...hosts.flatMap((host) => [
      `CREATE USER IF NOT EXISTS '${MYSQL_USER}'@'${host}' IDENTIFIED BY '${password}'`,
      `ALTER USER '${MYSQL_USER}'@'${host}' IDENTIFIED BY '${password}'`,
      `GRANT ALL PRIVILEGES ON *.* TO '${MYSQL_USER}'@'${host}' WITH GRANT OPTION`,
    ]),
  ];
}

async function withConnection<T>(url: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri: url, connectTimeout: 5_000 });
  // An error between two queries must not become an unhandled event; the next query reports it.
  connection.on('error', () => undefined);
  try {
    return await use(connection);
  } finally {
    connection.destroy();
  }
}
