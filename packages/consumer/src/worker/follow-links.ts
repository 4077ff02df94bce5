import type { FollowRefusal, Frontier } from '@dist-crawl/core/frontier';
import type { Logger } from '@dist-crawl/core/logging';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { HeldTask } from './held-tasks.js';

/** Queues the links of pages; what a site's limits refuse is told once for each reason, the counts are in Redis. */
export type FollowLinks = (
  frontier: Frontier,
  pages: readonly { readonly task: HeldTask; readonly follow: readonly CanonicalUrl[] }[],
) => Promise<void>;

const HINTS: Readonly<Record<FollowRefusal, string>> = {
  'max-pages': 'the site has as many pages as `maxPages` allows',
  'max-depth': 'they are farther away than `maxDepth`',
  'path-repeat': 'their paths repeat themselves (`traps.pathRepeats`)',
  'query-variants': 'there are too many of one path with several query parameters (`traps.queryVariants`)',
};

export function createFollowLinks(logger: Logger): FollowLinks {
  const told = new Set<string>();
  return async (frontier, pages) => {
    for (const { task, follow } of pages) {
      if (follow.length === 0) continue;
      const refused = await frontier.intake.follow(follow, (task.record.depth ?? 0) + 1);
      for (const reason of Object.keys(refused) as FollowRefusal[]) {
        if (told.has(`${task.site} ${reason}`)) continue;
        told.add(`${task.site} ${reason}`);
        logger.warn(
          { site: task.site, url: task.url, reason, links: refused[reason] },
          `links are not followed: ${HINTS[reason]}; counted as refused:${reason}, not told again`,
        );
      }
    }
  };
}
