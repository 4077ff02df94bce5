import { customType } from 'drizzle-orm/mysql-core';

/*
 * Column types that Drizzle lacks or that would differ between servers. Charset and collation stand with each text
 * column, so that a database created as latin1 or with another default collation holds the same as any other; only
 * collations that MySQL 8.4 and MariaDB 10.11 both have are used.
 */

/** Text for people (names, messages): utf8mb4, found without regard to case, emoji told apart. */
export const textColumn = customType<{
  data: string;
  driverData: string;
  config: { length: number };
  configRequired: true;
}>({
  dataType: ({ length }) => `varchar(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`,
});

/** Text for machines (URLs, site names, kinds): utf8mb4, compared byte by byte. */
export const exactText = customType<{
  data: string;
  driverData: string;
  config: { length: number };
  configRequired: true;
}>({
  dataType: ({ length }) => `varchar(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
});

/** As `exactText`, of one length: currencies, months. */
export const exactChar = customType<{
  data: string;
  driverData: string;
  config: { length: number };
  configRequired: true;
}>({
  dataType: ({ length }) => `char(${length}) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
});

/** Up to 16 MiB of text, compared byte by byte. */
export const longText = customType<{ data: string; driverData: string }>({
  dataType: () => 'mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
});

/** A SHA-256 digest: 32 bytes. Drizzle's own `binary` would read it back as text. */
export const sha256Column = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => 'binary(32)',
});

/** JSON. MariaDB gives it back as text, MySQL too, as the connection asks for `jsonStrings`. */
export const jsonColumn = customType<{ data: Record<string, unknown>; driverData: string }>({
  dataType: () => 'json',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => JSON.parse(text) as Record<string, unknown>,
});
