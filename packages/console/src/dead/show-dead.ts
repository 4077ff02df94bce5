import type { ListedDeadUrl } from '@dist-crawl/core/db';
import { cut, oneLine, table } from '../terminal/columns.js';
import { plural, showCount } from '../terminal/figures.js';
import type { RedriveCounts } from './redrive.js';

/** Dead URLs, each with its story in the line below. */
export function showDeadUrls(dead: readonly ListedDeadUrl[], width: number): string[] {
  const [head, ...lines] = table(
    [
      { title: 'site', most: 20 },
      { title: 'kind', most: 18 },
      { title: 'failures', align: 'right' },
      { title: 'last failure (UTC)' },
      { title: 'node', stretches: true },
    ],
    dead.map(({ site, kind, failures, lastFailure, node }) => [
      site,
      kind,
      showCount(failures),
      showTime(lastFailure),
      node,
    ]),
    width,
  );
  if (head === undefined) return [];
  return [head, ...lines.flatMap((line, index) => [line, `  ${dead[index]?.url ?? ''}`, ...story(dead[index], width)])];
}

function story(dead: ListedDeadUrl | undefined, width: number): string[] {
  return dead === undefined || dead.lastError === '' ? [] : [`  ${cut(oneLine(dead.lastError), width - 2)}`];
}

/** `2026-11-30 14:20:38`. */
function showTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** What stands below the list: how many there are, and of what kinds. */
export function showDeadTotal(shown: number, total: number, byKind: Readonly<Record<string, number>>): string {
  if (total === 0) return 'No dead URLs.';
  const kinds = Object.entries(byKind)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${kind} ${showCount(count)}`)
    .join(', ');
  const part =
    shown < total
      ? `${showCount(shown)} of ${plural(total, 'dead URL')} (--limit shows more)`
      : plural(total, 'dead URL');
  return `${part}: ${kinds}`;
}

/** One sentence for each thing that happened. */
export function showRedriven({ queued, pending, done, notDead }: RedriveCounts): string[] {
  return [
    queued === 0 ? 'No URL was queued again.' : `${plural(queued, 'URL')} queued again, with a clean record.`,
    ...(pending === 0 ? [] : [`${plural(pending, 'URL was', 'URLs were')} waiting already.`]),
    ...(done === 0 ? [] : [`${plural(done, 'URL was', 'URLs were')} crawled meanwhile.`]),
    ...(notDead === 0 ? [] : [`${plural(notDead, 'URL is', 'URLs are')} not dead: nothing done.`]),
  ];
}
