import { basename } from 'node:path';

/** An error in one line; with `file`, the line and column there at which it was thrown, where that can be told. */
export function describeError(error: unknown, file?: string): string {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  const message = `${error.name}: ${error.message}`.split('\n', 1)[0] ?? error.name;
  const place = file === undefined ? undefined : placeIn(error.stack ?? '', basename(file));
  return place === undefined ? message : `${message} (${place})`;
}

/** `tea-shop.mjs:12:5` in a stack; a syntax error's stack begins with the file and line alone. */
function placeIn(stack: string, name: string): string | undefined {
  const start = stack.indexOf(`${name}:`);
  return start === -1 ? undefined : /^[^\s)]+/.exec(stack.slice(start))?.[0];
}
