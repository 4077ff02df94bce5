import {
  bigint,
  boolean,
  datetime,
  decimal,
  index,
  int,
  mysqlTable,
  smallint,
  uniqueIndex,
} from 'drizzle-orm/mysql-core';
import { exactChar, exactText, jsonColumn, longText, sha256Column, textColumn } from './columns.js';

/** Lengths in characters of the columns that others fit their text to. */
export const LENGTH = {
  site: 64,
  url: 2048,
  kind: 64,
  node: 255,
  goodsName: 1000,
  message: 1000,
  header: 512,
} as const;

/** A URL in the database is as long as a canonical URL may be; its SHA-256 is what is indexed. */
const url = (name: string) => exactText(name, { length: LENGTH.url });
const id = () => bigint({ mode: 'number', unsigned: true }).autoincrement().primaryKey();
const site = () => exactText('site', { length: LENGTH.site }).notNull();
const kind = () => exactText('kind', { length: LENGTH.kind }).notNull();
const node = () => exactText('source_node', { length: LENGTH.node }).notNull();
/** UTC, milliseconds; the session's time zone is UTC too. */
const time = (name: string) => datetime(name, { mode: 'date', fsp: 3 });

/** One row for each product or article, as it was when last seen. */
export const goods = mysqlTable(
  'dist_crawl_goods',
  {
    id: id(),
    site: site(),
    /** SHA-256 of goods_url, or of page URL and ordinal where a card has no link: what makes a row the same row. */
    goodsKey: sha256Column('goods_key').notNull(),
    goodsUrl: url('goods_url'),
    goodsName: textColumn('goods_name', { length: LENGTH.goodsName }),
    price: decimal({ precision: 20, scale: 4 }),
    currency: exactChar('currency', { length: 3 }),
    sourceNode: node(),
    crawlTime: time('crawl_time').notNull(),
    pageUrl: url('page_url').notNull(),
    attributes: jsonColumn('attributes').notNull(),
    firstSeen: time('first_seen').notNull(),
  },
  (table) => [uniqueIndex('dist_crawl_goods_key').on(table.site, table.goodsKey)],
);

/** One row for each page that was crawled and saved: the memory from which the done set can be rebuilt. */
export const pages = mysqlTable(
  'dist_crawl_pages',
  {
    id: id(),
    site: site(),
    urlHash: sha256Column('url_hash').notNull(),
    url: url('url').notNull(),
    kind: kind(),
    outcome: exactText('outcome', { length: LENGTH.kind }).notNull(),
    status: smallint({ unsigned: true }).notNull(),
    bytes: int({ unsigned: true }).notNull(),
    rowsFound: int('rows_found', { unsigned: true }).notNull(),
    contentHash: sha256Column('content_hash'),
    /** Where redirects led to; null where that is the URL itself. */
    finalUrl: url('final_url'),
    finalUrlHash: sha256Column('final_url_hash'),
    /** Validators of the answer, for conditional requests. */
    etag: exactText('etag', { length: LENGTH.header }),
    lastModified: exactText('last_modified', { length: LENGTH.header }),
    /** SHA-256 of the rules by which the page was read: by others, a page that did not change gives other rows. */
    rulesHash: sha256Column('rules_hash'),
    sourceNode: node(),
    firstCrawled: time('first_crawled').notNull(),
    lastCrawled: time('last_crawled').notNull(),
    /** `2026-11`, the month of last_crawled, once the URL's place is here and no longer in the done set. */
    archivedMonth: exactChar('archived_month', { length: 7 }),
    /** The month is committed, but the URL may still be in the done set: see archive.ts. */
    archivePending: boolean('archive_pending').notNull().default(false),
  },
  (table) => [
    uniqueIndex('dist_crawl_pages_url').on(table.site, table.urlHash),
    index('dist_crawl_pages_final_url').on(table.site, table.finalUrlHash),
    index('dist_crawl_pages_age').on(table.site, table.archivedMonth, table.lastCrawled),
    index('dist_crawl_pages_pending').on(table.site, table.archivePending, table.id),
  ],
);

/** URLs given up, with their story. */
export const deadUrls = mysqlTable(
  'dist_crawl_dead_urls',
  {
    id: id(),
    site: site(),
    urlHash: sha256Column('url_hash').notNull(),
    url: url('url').notNull(),
    kind: kind(),
    lastError: textColumn('last_error', { length: LENGTH.message }).notNull(),
    /** HTTP status of the last answer; null where there was none. */
    status: smallint({ unsigned: true }),
    failures: int({ unsigned: true }).notNull(),
    firstFailure: time('first_failure').notNull(),
    lastFailure: time('last_failure').notNull(),
    sourceNode: node(),
  },
  (table) => [
    uniqueIndex('dist_crawl_dead_urls_url').on(table.site, table.urlHash),
    index('dist_crawl_dead_urls_kind').on(table.site, table.kind, table.id),
  ],
);

/** Rows that MySQL refused, with its reason, so that one bad row costs no other row and is not lost itself. */
export const rejectedRows = mysqlTable(
  'dist_crawl_rejected_rows',
  {
    id: id(),
    site: site(),
    pageUrl: url('page_url').notNull(),
    /** The row as JSON; text, as the server's own idea of JSON may be what refused the row. */
    row: longText('row_json').notNull(),
    /** The server's error number; 0 where the row was refused before it was sent. */
    errorCode: int('error_code', { unsigned: true }).notNull(),
    reason: textColumn('reason', { length: LENGTH.message }).notNull(),
    sourceNode: node(),
    rejectedAt: time('rejected_at').notNull(),
  },
  (table) => [index('dist_crawl_rejected_rows_site').on(table.site, table.id)],
);
