import { distance } from 'fastest-levenshtein';

/** The known word that `word` most likely was meant to be, or undefined where none is close; letter case does not count. */
export function closest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  // one letter in three may be wrong; two that are swapped count as two
  let bestDistance = Math.ceil(word.length / 3) + 1;
  for (const candidate of known) {
    const found = distance(word.toLowerCase(), candidate.toLowerCase());
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}
