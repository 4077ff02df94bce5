import type { ConfigProblem } from '@dist-crawl/core/errors';
import type { FieldRule, LoadedSite, SitePath } from '@dist-crawl/core/sites';
import { compileSelector, type Selector } from './selector.js';

/** One way to read a field, ready to run. */
export interface CompiledRule {
  readonly rule: FieldRule;
  /** Null: the card itself. */
  readonly selector: Selector | null;
  readonly match: RegExp | null;
  /** What the text is made into. */
  readonly as: NonNullable<FieldRule['as']>;
  /** Path in structured data. */
  readonly path: readonly string[] | null;
}

/** A field with the ways to read it: the first that finds something counts. */
export interface CompiledField {
  readonly name: string;
  readonly rules: readonly CompiledRule[];
  readonly required: boolean;
}

/** What columns hold, where a rule does not say it with `as`. */
const COLUMN_TYPES: Readonly<Record<string, CompiledRule['as']>> = { goods_url: 'url', price: 'price' };

export function compileField(
  name: string,
  rules: readonly FieldRule[],
  compile: SelectorCompiler,
  path: SitePath,
): CompiledField {
  return {
    name,
    required: rules.some((rule) => rule.required === true),
    rules: rules.map((rule, index) => ({
      rule,
      selector: rule.select === undefined ? null : compile(rule.select, [...path, index, 'select']),
      match: rule.match === undefined ? null : new RegExp(rule.match, 'u'),
      as: rule.as ?? COLUMN_TYPES[name] ?? 'text',
      path: rule.jsonld?.split('.') ?? null,
    })),
  };
}

export type SelectorCompiler = (selector: string, path: SitePath) => Selector;

/** Compiles selectors of one site file; those that are none are noted in `problems`, with their line. */
export function selectorCompiler(loaded: LoadedSite, problems: ConfigProblem[]): SelectorCompiler {
  return (selector, path) => {
    try {
      return compileSelector(selector);
    } catch (error) {
      // The parser names what it found; at the end of the text that is nothing.
      const reason = (error instanceof Error ? error.message : String(error)).replace(/ found $/, ' found its end');
      problems.push(loaded.problem(path, `${JSON.stringify(selector)} is no selector: ${reason}`, 'a CSS selector'));
      return NOTHING;
    }
  };
}

/** Stands in for a selector that could not be compiled, so that the other problems are found too. */
const NOTHING: Selector = { first: () => null, all: () => [] };
