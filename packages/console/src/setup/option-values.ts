import type { ValueKind } from '@dist-crawl/core/config';
import type { ConfigProblem } from '@dist-crawl/core/errors';

/** Options as commander hands them over: texts, lists of texts, switches. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** Reads the values of a command's options, and gathers every problem for one message. */
export class OptionReader {
  readonly problems: ConfigProblem[] = [];
  readonly #raw: RawOptions;

  constructor(raw: RawOptions) {
    this.#raw = raw;
  }

  /** Undefined where it was not given, or is wrong. */
  value<T>(flag: string, kind: ValueKind<T>): T | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    const result = kind.schema.safeParse(text);
    if (result.success) return result.data;
    this.problem(flag, result.error.issues[0]?.message ?? 'wrong', kind.expected);
    return undefined;
  }

  text(flag: string): string | undefined {
    const given = this.#raw[attribute(flag)];
    return typeof given === 'string' ? given : undefined;
  }

  texts(flag: string): readonly string[] {
    const given = this.#raw[attribute(flag)];
    return Array.isArray(given) ? given.filter((each) => typeof each === 'string') : [];
  }

  is(flag: string): boolean {
    return this.#raw[attribute(flag)] === true;
  }

  /** `--site a,b` as names; undefined where it was not given. */
  names(flag: string): readonly string[] | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    const names = text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0) this.problem(flag, 'names no site', 'one site or several, such as demo-shop,news');
    return [...new Set(names)];
  }

  problem(flag: string, what: string, expected: string): void {
    this.problems.push({ where: `--${flag}`, what, expected });
  }
}

/** `dry-run` → `dryRun`, as commander names what it stores. */
function attribute(flag: string): string {
  return flag.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}

/** For options that may be given more than once. */
export function collect(value: string, earlier: readonly string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}
