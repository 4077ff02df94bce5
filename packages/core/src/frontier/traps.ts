/** When links lead on for ever; see the site file's `traps`. */
export interface Traps {
  readonly pathRepeats: number;
  readonly queryVariants: number;
}

export const DEFAULT_TRAPS: Traps = { pathRepeats: 3, queryVariants: 10_000 };

/** Why links are not followed. */
export type FollowRefusal = 'max-pages' | 'max-depth' | 'path-repeat' | 'query-variants';

/**
 * Whether the path has the same part `times` times in a row, as relative links without a slash in front bring forth:
 * `/a/b/a/b/a/b`. Parts of numbers alone are dates and codes, and repeat by right.
 */
export function pathRepeats(url: string, times: number): boolean {
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '');
  for (let length = 1; length * times <= segments.length; length += 1) {
    let same = 0; // how many segments in a row are the one `length` places before
    let numbers = 0; // how many in a row are numbers
    for (let index = 0; index < segments.length; index += 1) {
      const segment = segments[index] ?? '';
      numbers = /^\d+$/.test(segment) ? numbers + 1 : 0;
      same = index >= length && segment === segments[index - length] ? same + 1 : 0;
      if (same >= length * (times - 1) && numbers < length) return true;
    }
  }
  return false;
}
