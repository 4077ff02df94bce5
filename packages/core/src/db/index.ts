export {
  openDatabase,
  type CallOptions,
  type Database,
  type DatabaseLogger,
  type DatabaseOptions,
} from './database.js';
export { addressOf, databaseUrlProblems, parseDatabaseUrl, type DatabaseTarget } from './database-url.js';
export { classify, isTransient, TransientDatabaseError, type DatabaseFault, type TransientFault } from './classify.js';
export { waitForDatabase, type WaitOptions } from './wait-for-database.js';
export { migrate, type MigrateOptions } from './migrate.js';
export { savePages, type SaveResult } from './save-pages.js';
export type { GoodsRow } from './goods.js';
export { donePages, markRepeated, type CrawledPage, type DonePage, type DonePagesQuery } from './pages.js';
export { pageValidators, saveUnchanged, type PageValidators, type UnchangedPage } from './validators.js';
export { crawledUrls } from './known-urls.js';
export type { RejectedRow } from './rejected-rows.js';
export type { RowCounts } from './upsert.js';
export {
  countDead,
  listDead,
  saveDead,
  withdrawDead,
  type DeadFilter,
  type DeadUrl,
  type ListedDeadUrl,
} from './dead-urls.js';
export {
  archiveBatch,
  confirmRestored,
  finishArchive,
  isArchived,
  pendingArchive,
  type ArchivedPage,
  type FinishedArchive,
} from './archive.js';
export { summary, type SiteSummary } from './summary.js';
