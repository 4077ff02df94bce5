import type { Document, Element } from 'domhandler';
import { render } from './markup.js';
import { ownTextOf, priceTextOf, squeeze, textOf } from '../document/text.js';
import type { Resolve } from '../document/links.js';
import { dig, type StructuredNode } from '../structured/node.js';
import type { CompiledField, CompiledRule } from './compile-field.js';
import { readDate, readFirstNumber } from './convert.js';

export interface FieldContext {
  readonly resolve: Resolve;
  readonly locale: string | undefined;
  readonly decimalSign: '.' | ',' | undefined;
  /** The product that the page's structured data tells of, for rules with `jsonld`. */
  readonly structured: StructuredNode | null;
}

/** What a field gave: nothing, or a value with the rule that found it. */
export type FieldReading =
  | { readonly found: false; readonly value: Scalar }
  | {
      readonly found: true;
      readonly value: Scalar | Scalar[];
      readonly as: CompiledRule['as'];
      readonly structured: boolean;
    };

type Scalar = string | number | boolean | null;

/** Long texts are not searched by a site's regular expressions, whose time may grow steeply. */
const MAX_MATCHED = 10_000;

/** Reads a field of a card: by its rules in order, else its default. Prices and currencies stay text here. */
export function readField(field: CompiledField, card: Document | Element, context: FieldContext): FieldReading {
  for (const compiled of field.rules) {
    const { rule, as } = compiled;
    if (rule.const !== undefined) return { found: true, value: rule.const, as: 'text', structured: false };
    const seen = finish(textsIn(card, compiled), compiled, context);
    if (seen !== null) return { found: true, value: seen, as, structured: false };
    if (compiled.path === null || context.structured === null) continue;
    const told = finish(
      dig(context.structured, compiled.path).map((text) => ({ text, raw: false })),
      compiled,
      context,
    );
    if (told !== null) return { found: true, value: told, as, structured: true };
  }
  const fallback = field.rules.find(({ rule }) => rule.default !== undefined);
  return { found: false, value: fallback?.rule.default ?? null };
}

/** Numbers and dates stand near the beginning. */
const MAX_PARSED = 1_000;

interface Piece {
  readonly text: string;
  /** Markup, whose white space is kept. */
  readonly raw: boolean;
}

function textsIn(card: Document | Element, { rule, selector, as }: CompiledRule): Piece[] {
  // a rule that names nothing of the page reads structured data only
  if (selector === null && rule.attr === undefined && rule.take === undefined && rule.jsonld !== undefined) return [];
  const many = rule.all === true || rule.join !== undefined;
  let elements: readonly (Document | Element)[];
  if (selector === null) elements = [card];
  else if (many) elements = selector.all(card);
  else elements = [selector.first(card)].filter((element) => element !== null);
  const pieces: Piece[] = [];
  for (const element of elements) {
    if (rule.attr !== undefined) {
      const value = 'attribs' in element ? element.attribs[rule.attr] : undefined;
      if (value !== undefined) pieces.push({ text: value, raw: false });
    } else if (rule.take === 'html') pieces.push({ text: render(element), raw: true });
    else if (rule.take === 'own-text')
      pieces.push({ text: 'attribs' in element ? ownTextOf(element) : '', raw: false });
    else pieces.push({ text: as === 'price' ? priceTextOf(element) : textOf(element), raw: false });
  }
  return pieces;
}

/** Pieces of text → the field's value; null where nothing is left of them. */
function finish(pieces: readonly Piece[], compiled: CompiledRule, context: FieldContext): Scalar | Scalar[] | null {
  const { rule } = compiled;
  const texts = pieces.map((piece) => polish(piece, compiled)).filter((text) => text !== null);
  const kept = rule.join === undefined ? texts : [texts.join(rule.join)].filter((text) => text !== '');
  const values = kept.map((text) => convert(text, compiled.as, context)).filter((value) => value !== null);
  if (rule.all === true) return values.length > 0 ? values : null;
  return values[0] ?? null;
}

function polish({ text, raw }: Piece, { rule, match, as }: CompiledRule): string | null {
  // addresses are cleaned by the rules of URLs, by which an empty one is the page itself
  let polished = rule.trim === false || raw || as === 'url' ? text : squeeze(text);
  if (match !== null) {
    const found = match.exec(polished.slice(0, MAX_MATCHED));
    if (found === null) return null;
    polished = found[1] ?? found[0];
  }
  if (rule.lower === true) polished = polished.toLowerCase();
  if (rule.upper === true) polished = polished.toUpperCase();
  return polished === '' && as !== 'url' ? null : polished;
}

function convert(text: string, as: CompiledRule['as'], context: FieldContext): string | number | null {
  switch (as) {
    case 'text':
    case 'price':
      return text;
    case 'url':
      return context.resolve(text);
    case 'date':
      return readDate(text.slice(0, MAX_PARSED), context.locale);
    case 'number': {
      const number = readFirstNumber(text.slice(0, MAX_PARSED), context.decimalSign);
      // numbers that JavaScript can't hold exactly stay text
      return number === null || !Number.isSafeInteger(Math.trunc(Number(number))) ? number : Number(number);
    }
    default:
      return as satisfies never;
  }
}
