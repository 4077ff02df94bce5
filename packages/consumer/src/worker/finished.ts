import type { CrawledPage, DeadUrl, UnchangedPage } from '@dist-crawl/core/db';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { HeldTask } from './held-tasks.js';
import type { RangeNote } from './range-pages.js';

/** A page that was crawled, or one that is beyond help: what is to be written before its task may end. */
export type Finished =
  | {
      readonly kind: 'page';
      readonly task: HeldTask;
      readonly page: CrawledPage;
      readonly finalUrl: CanonicalUrl | undefined;
      /** Links to be crawled, too, queued before the page is done. */
      readonly follow: readonly CanonicalUrl[];
      /** Of a list page. */
      readonly note?: RangeNote | undefined;
    }
  /** Crawled again, and as it was. */
  | {
      readonly kind: 'unchanged';
      readonly task: HeldTask;
      readonly page: UnchangedPage;
      readonly finalUrl: CanonicalUrl | undefined;
    }
  | { readonly kind: 'dead'; readonly task: HeldTask; readonly dead: DeadUrl };

/** Lost while it waited: whoever has it now writes it. One that only came too late to be stopped is written. */
export function isLost({ signal }: HeldTask): boolean {
  return signal.aborted && signal.reason === 'lost';
}

/** By site and by the id under which the task was claimed; no group is empty. */
export function groups<T extends { readonly task: HeldTask }>(items: readonly T[]): (readonly [T, ...T[]])[] {
  const found = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = `${item.task.site} ${item.task.worker}`;
    const group = found.get(key);
    if (group === undefined) found.set(key, [item]);
    else group.push(item);
  }
  return [...found.values()];
}
