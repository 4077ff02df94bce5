import stringWidth from 'string-width';

const GAP = '  ';
const ELLIPSIS = '…';

/** A text from outside on one line: no line ends, and no control characters, which could steer the terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Cuts a line to `width` columns of a terminal (a Chinese character takes two), with `…` where something is left out. */
export function cut(text: string, width: number): string {
  const flat = text.replace(/\p{Cc}/gu, ' ');
  if (stringWidth(flat) <= width) return flat;
  let used = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(flat)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return kept.trimEnd() + ELLIPSIS;
}

/** Fills up a text to `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const fill = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'left' ? text + fill : fill + text;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** No wider than this; default: as wide as its widest cell. */
  readonly most?: number;
  /** Takes what the others leave of the line. One column at most. */
  readonly stretches?: boolean;
}

/** Lines of an aligned table no wider than `width`, its head first; without rows nothing. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  if (rows.length === 0) return [];
  const all = [columns.map(({ title }) => title), ...rows];
  const natural = columns.map((column, index) => {
    const widest = Math.max(...all.map((row) => stringWidth(cell(row, index))));
    return Math.min(widest, column.most ?? widest);
  });
  const gaps = GAP.length * (columns.length - 1);
  const others = natural.reduce((sum, each, index) => sum + (columns[index]?.stretches === true ? 0 : each), gaps);
  const widths = natural.map((each, index) =>
    columns[index]?.stretches === true ? Math.max(8, Math.min(each, width - others)) : each,
  );
  return all.map((row) =>
    columns
      .map(({ align }, index) => pad(cut(cell(row, index), widths[index] ?? 0), widths[index] ?? 0, align))
      .join(GAP)
      .trimEnd(),
  );
}

function cell(row: readonly string[], index: number): string {
  return oneLine(row[index] ?? '');
}

/** `label  text`, the text wrapped between words under itself. */
export function entry(
  label: string,
  text: string,
  { labelWidth, width }: { labelWidth: number; width: number },
): string[] {
  const room = Math.max(20, width - labelWidth);
  return wrap(text, room).map((line, index) => pad(index === 0 ? label : '', labelWidth) + line);
}

/** Breaks a text between words into lines of `width` columns; a longer word keeps a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of oneLine(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && stringWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
