import { distance } from 'fastest-levenshtein';

/** The known word that `word` most likely was meant to be, or undefined where none is close; letter case does not count. */
export function closest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  // one letter in three may be wrong
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const found = distance(word.toLowerCase(), candidate.toLowerCase());
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}
