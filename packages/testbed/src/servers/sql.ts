import { createConnection } from 'mysql2/promise';

/** Asks a MySQL server one thing, for tests that look at the rows by another way than the product's own. */
export async function querySql(url: string, text: string): Promise<Record<string, unknown>[]> {
  const connection = await createConnection({ uri: url, timezone: 'Z', decimalNumbers: false });
  try {
    const [rows] = await connection.query(text);
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
  } finally {
    await connection.end();
  }
}
