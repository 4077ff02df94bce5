/** No URL that can be queued is longer; what is cut off here is reported as too long, and never kept in memory. */
export const LONGEST_LINE = 65_536;

/**
 * Splits text that comes in pieces into lines, without their ends (LF, CRLF). A line longer than {@link LONGEST_LINE} is cut
 * there, so that a file without line ends cannot fill the memory. The last line needs no end.
 */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      yield trimmed(rest + piece.slice(start, end));
      rest = '';
      start = end + 1;
    }
    if (rest.length < LONGEST_LINE) rest += piece.slice(start, start + LONGEST_LINE);
  }
  if (rest !== '') yield trimmed(rest);
}

function trimmed(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
  return whole.length > LONGEST_LINE ? whole.slice(0, LONGEST_LINE) : whole;
}
