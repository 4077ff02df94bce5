import { readFileSync } from 'node:fs';
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from 'yaml';
import { ConfigError, type ConfigProblem } from '../errors/index.js';

export interface Location {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

export type SitePath = readonly (string | number)[];

/** The text of a site file, with the place of everything in it. */
export interface SiteFile {
  readonly file: string;
  readonly raw: unknown;
  /** Where the value at `path` stands, or the nearest thing around it that does stand there. */
  readonly locate: (path: SitePath, atKey?: boolean) => Location;
  /** A problem at `path`, in the form of ConfigError. */
  readonly problem: (path: SitePath, what: string, expected: string, atKey?: boolean) => ConfigProblem;
}

/** Reads and parses a file as YAML 1.2. Throws ConfigError with every fault of its syntax. */
export function readSiteFile(file: string): SiteFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([{ where: file, what: `can't be read: ${reason}`, expected: 'a site file in YAML' }]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): Location => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => {
      const { line, column } = place(error.pos[0]);
      return { where: `${file}:${line}:${column}`, what: error.message, expected: 'valid YAML' };
    });
    throw new ConfigError(problems);
  }
  const locate = (path: SitePath, atKey = false): Location => place(offsetOf(document, path, atKey));
  const raw = toPlain(document, file);
  return {
    file,
    raw,
    locate,
    problem(path, what, expected, atKey) {
      const inFile = pathInFile(path, raw);
      const { line, column } = locate(inFile, atKey);
      const name = inFile.join('.');
      return { where: `${file}:${line}:${column}${name === '' ? '' : ` ${name}`}`, what, expected };
    },
  };
}

/**
 * The path as the file has it: a single value where a list may stand is checked as a list of one, and a text in short
 * form as a block of keys, which the file does not show.
 */
export function pathInFile(path: SitePath, raw: unknown): (string | number)[] {
  const inFile: (string | number)[] = [];
  let value = raw;
  for (const part of path) {
    if (typeof part === 'number' && !Array.isArray(value)) continue;
    if (typeof value !== 'object' || value === null) break;
    inFile.push(part);
    value = Reflect.get(value, part);
  }
  return inFile;
}

function toPlain(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new ConfigError([{ where: file, what, expected: 'valid YAML with few aliases' }]);
  }
}

function offsetOf(document: Document, path: SitePath, atKey: boolean): number {
  let node: Node | null = document.contents;
  let offset = start(node);
  for (const [depth, part] of path.entries()) {
    const last = depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(part));
      if (pair === undefined) return offset;
      const value = isNode(pair.value) ? pair.value : null;
      const keyOffset = isNode(pair.key) ? start(pair.key) : offset;
      if (last && atKey) return keyOffset;
      // a block of keys is best found by the key above it
      offset = value === null || isMap(value) ? keyOffset : start(value);
      node = value;
    } else if (isSeq(node) && typeof part === 'number') {
      const item: unknown = node.items[part];
      if (!isNode(item)) return offset;
      offset = start(item);
      node = item;
    } else return offset;
  }
  return offset;
}

function start(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
