const LARGEST_WRITTEN_OUT = 9_999_999;
const SUFFIXES = [
  ['B', 1e9],
  ['M', 1e6],
] as const;

/** A count for a column: `1,861`, from ten million on `12.3M`. */
export function showCount(count: number): string {
  if (Math.abs(count) > LARGEST_WRITTEN_OUT) {
    for (const [suffix, size] of SUFFIXES) {
      if (Math.abs(count) >= size) return `${(count / size).toFixed(1)}${suffix}`;
    }
  }
  return Math.round(count).toLocaleString('en-US');
}

/** `1 page`, `2 pages`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${showCount(count)} ${count === 1 ? one : many}`;
}

/** A rate per second, as exact as it is worth: `0.25`, `18.5`, `240`. */
export function showRate(perSecond: number): string {
  if (perSecond === 0) return '0';
  if (perSecond < 1) return perSecond.toFixed(2);
  return perSecond < 100 ? perSecond.toFixed(1).replace(/\.0$/, '') : Math.round(perSecond).toLocaleString('en-US');
}

/** A length of time for people: `3 s`, `2 min 5 s`, `1 h 10 min`, `3 d`. */
export function showDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return pair(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return pair(hours, 'h', minutes % 60, 'min');
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** A number of bytes: `512 B`, `45.2 kB`, `1.3 MB`. */
export function showBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A probability: `1.2e-9`, `0`. */
export function showProbability(value: number): string {
  return value === 0 ? '0' : value.toExponential(1);
}
