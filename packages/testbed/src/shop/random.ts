/**
 * Numbers that look random and are the same for the same inputs, on every machine: the shop must be able to tell what
 * stands on page 7,000,000 without having made the pages before it.
 */
export function hashNumbers(seed: number, ...parts: readonly number[]): number {
  let hash = (seed ^ 0x9e3779b9) >>> 0;
  for (const part of parts) {
    // Both halves, since ids may pass 32 bits.
    hash = mix(hash ^ (part >>> 0));
    hash = mix(hash ^ Math.floor(part / 0x1_0000_0000));
  }
  return hash;
}

/** A generator of numbers in [0, 1) (mulberry32). */
export function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state) / 0x1_0000_0000;
  };
}

export function pick<T>(random: () => number, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

/** The finaliser of MurmurHash3: every bit of the input moves every bit of the output. */
function mix(input: number): number {
  let value = input >>> 0;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
