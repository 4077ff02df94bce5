import type { z } from 'zod';
import { pathInFile } from './site-file.js';
import { closest } from './suggestion.js';

/** One thing wrong at one place of the file. */
export interface SiteProblem {
  readonly path: readonly (string | number)[];
  /** The place of interest is the key at the path's end, not its value. */
  readonly atKey: boolean;
  readonly what: string;
  readonly expected: string;
}

type Issue = z.core.$ZodIssue;

/** Puts what zod found wrong into words for the writer of the file, one problem for each mistake. */
export function describeIssues(issues: readonly Issue[], raw: unknown): SiteProblem[] {
  return issues.flatMap((issue) => describe(issue, raw));
}

function describe(issue: Issue, raw: unknown): SiteProblem[] {
  const path = pathInFile(
    issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
    raw,
  );
  const value = valueAt(raw, path);
  const problem = (what: string, expected: string): SiteProblem[] => [{ path, atKey: false, what, expected }];
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = issue.message.split(', '); // see block.ts
      return issue.keys.map((key) => {
        const meant = closest(key, known);
        const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
        return {
          path: [...path, key],
          atKey: true,
          what: `unknown key ${key}${hint}`,
          expected: `one of ${known.join(', ')}`,
        };
      });
    }
    case 'invalid_union': {
      if (issue.errors.length === 0 || typeof value !== 'object' || value === null)
        return notOneOf(issue, value, problem);
      // of the ways it could have been meant, the one that got furthest, not the one that wanted a word
      const deepest = issue.errors.toSorted((a, b) => rank(b) - rank(a))[0] ?? [];
      return deepest.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, raw));
    }
    case 'invalid_key':
      return issue.issues.flatMap((inner) =>
        describe({ ...inner, path: issue.path }, raw).map((found) => ({
          ...found,
          atKey: true,
          what: `${String(path.at(-1))} ${found.what}`,
        })),
      );
    case 'invalid_element':
      return issue.issues.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, raw));
    case 'invalid_type':
      if (value === undefined) return problem('is missing', typeWord(issue.expected));
      return problem(`${show(value)} is not ${typeWord(issue.expected)}`, typeWord(issue.expected));
    case 'invalid_value':
      return problem(
        `${show(value)} is not known${hintFor(value, issue.values)}`,
        `one of ${issue.values.map(String).join(', ')}`,
      );
    case 'too_small':
      return problem(`${show(value)} is too small`, `at least ${issue.minimum}${unit(issue.origin)}`);
    case 'too_big':
      return problem(`${show(value)} is too big`, `at most ${issue.maximum}${unit(issue.origin)}`);
    case 'invalid_format':
      return problem(
        `${show(value)} ${issue.message}`,
        FORMATS[path.at(-1) ?? ''] ?? `text that matches ${issue.pattern ?? issue.format}`,
      );
    case 'custom':
      return problem(issue.message, String(issue.params?.['expected'] ?? 'something else'));
    case 'not_multiple_of':
      return problem(issue.message, `a multiple of ${issue.divisor}`);
    default:
      return issue satisfies never;
  }
}

/** In words of the user, what keys that are checked by a regular expression should hold. */
const FORMATS: Readonly<Record<string, string>> = {
  name: 'lower-case letters, digits and dashes, at most 64',
  namespace: 'at most 128 characters without white space and braces',
  currency: 'a code of ISO 4217 such as EUR',
  attr: 'a name such as href',
  module: 'a path from the site file into its own folder, such as ./tea-shop.mjs',
  jsonld: 'a path such as offers.price',
};

/** A union's message says what is wrong and, after a bar, what may stand there. */
function notOneOf<T>(issue: Issue, value: unknown, problem: (what: string, expected: string) => T): T {
  const [what = '', expected] = issue.message.split(' | ');
  if (expected === undefined) return problem(`${show(value)} is none of the possible forms`, 'another form');
  return problem(`${show(value)} ${what}`, expected);
}

/** The union's branches differ in how far they got: a wrong key or a wrong value deep inside beats a wrong type at the top. */
function rank(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length * 2 + (issue.code === 'unrecognized_keys' ? 1 : 0)));
}

function hintFor(value: unknown, known: readonly unknown[]): string {
  const meant = typeof value === 'string' ? closest(value, known.map(String)) : undefined;
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

function typeWord(type: string): string {
  const words: Record<string, string> = {
    object: 'a block of keys',
    record: 'a block of keys',
    array: 'a list',
    string: 'text',
  };
  if (type === 'boolean') return 'true or false';
  if (type === 'int') return 'a whole number';
  return words[type] ?? `a ${type}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function valueAt(raw: unknown, path: readonly (string | number)[]): unknown {
  let value = raw;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}
