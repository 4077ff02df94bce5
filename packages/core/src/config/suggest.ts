import { distance } from 'fastest-levenshtein';

/** The known name that a mistyped one is nearest to, if it is near enough to be meant; letter case does not count. */
export function suggest(name: string, known: Iterable<string>): string | undefined {
  const limit = name.length <= 4 ? 1 : 2;
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const found = distance(name.toLowerCase(), candidate.toLowerCase());
    if (found <= limit && (best === undefined || found < best.distance)) best = { name: candidate, distance: found };
  }
  return best?.name;
}
