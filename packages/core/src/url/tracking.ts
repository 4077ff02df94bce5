/** Parameters that tell a shop where a visitor came from and never change the page. `*` at the end: any name so begun. */
export const DEFAULT_TRACKING_PARAMETERS: readonly string[] = ['utm_*', 'gclid', 'fbclid', 'spm'];

/**
 * The query (`?a=1&b=2` or empty) without tracking parameters. What stays keeps its bytes and its order: re-encoding a
 * query in UTF-8 would change what a server of another charset reads.
 */
export function withoutTracking(search: string, parameters: readonly string[]): string {
  if (search.length <= 1) return '';
  const parts = search.slice(1).split('&');
  const kept = parts.filter((part) => !isTracking(nameOf(part), parameters));
  if (kept.length === parts.length) return search;
  return kept.every((part) => part === '') ? '' : `?${kept.join('&')}`;
}

function isTracking(name: string, parameters: readonly string[]): boolean {
  return parameters.some((parameter) =>
    parameter.endsWith('*') ? name.startsWith(parameter.slice(0, -1)) : name === parameter,
  );
}

function nameOf(part: string): string {
  const end = part.indexOf('=');
  const name = end < 0 ? part : part.slice(0, end);
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // not UTF-8: no name that is looked for
  }
}
