import { z } from 'zod';
import { block } from './block.js';
import { patternProblem } from './url-pattern.js';

const selector = z.string().trim().min(1);

/** How one value is read: from where (select, attr, take, jsonld, const), and what is made of it. */
const fieldRuleObject = block({
  /** CSS selector inside the card; left out: the card itself. */
  select: selector.optional(),
  /** Attribute to read in place of text. */
  attr: z
    .string()
    .regex(/^[A-Za-z_:][\w:.-]*$/, { error: 'is not the name of an attribute' })
    .optional(),
  /** text: with that of its children; own-text: without; html: markup inside the element. */
  take: z.enum(['text', 'own-text', 'html']).optional(),
  /** All elements, as a list, in place of the first. */
  all: z.boolean().optional(),
  /** All elements, as one text with this between them. */
  join: z.string().optional(),
  /** Regular expression; its first group is taken, or all that matched where it has none. */
  match: z.string().min(1).optional(),
  /** Keep white space as it is; else runs of it become one space, and none stays at the ends. */
  trim: z.boolean().optional(),
  lower: z.boolean().optional(),
  upper: z.boolean().optional(),
  /** A fixed value. */
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** Path in the page's JSON-LD product, such as offers.price; asked where the selector gives nothing. */
  jsonld: z
    .string()
    .regex(/^[\w@:-]+(?:\.[\w@:-]+)*$/, { error: 'is not a path such as offers.price' })
    .optional(),
  as: z.enum(['text', 'number', 'price', 'date', 'url']).optional(),
  /** Value where nothing was found. */
  default: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  /** A card without this field is no row. */
  required: z.boolean().optional(),
});

export type FieldRule = z.infer<typeof fieldRuleObject>;

const CONFLICTS: readonly (readonly [keyof FieldRule, keyof FieldRule])[] = [
  ['attr', 'take'],
  ['all', 'join'],
  ['lower', 'upper'],
  ['const', 'select'],
  ['const', 'jsonld'],
  ['const', 'attr'],
];

const fieldRule = z.preprocess(
  (value) => (typeof value === 'string' ? shortForm(value) : value),
  fieldRuleObject.superRefine((rule, context) => {
    for (const [one, other] of CONFLICTS) {
      if (rule[one] === undefined || rule[other] === undefined) continue;
      const params = { expected: 'one of them' };
      context.addIssue({ code: 'custom', path: [other], message: `${one} and ${other} exclude each other`, params });
    }
    if (rule.match === undefined) return;
    try {
      RegExp(rule.match, 'u');
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const params = { expected: 'a regular expression as in JavaScript, with the u flag' };
      context.addIssue({ code: 'custom', path: ['match'], message, params });
    }
  }),
);

/** `a@href` → select and attr; `@href` → attribute of the card; `.title` → text; `.` → text of the card itself. */
function shortForm(text: string): FieldRule {
  const match = /^(.*?)\s*@\s*([A-Za-z_:][\w:.-]*)$/s.exec(text.trim());
  const select = (match ? (match[1] ?? '') : text).trim();
  return { ...(select === '' || select === '.' ? {} : { select }), ...(match ? { attr: match[2] } : {}) };
}

/** A field is one rule, or a list of them: the first that finds something is taken. */
const field = z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(fieldRule).min(1));

const FIELD_NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;

const goodsBlock = block({
  /** Selector of the cards; left out: the page as a whole is one. */
  each: selector.optional(),
  /** goods_url, goods_name, price and currency are columns, others go to the attributes. */
  fields: z
    .record(z.string().regex(FIELD_NAME, { error: 'is not a field name' }), field)
    .refine((fields) => Object.keys(fields).length > 0, {
      error: 'is empty',
      params: { expected: 'at least one field' },
    }),
  /** A page without any card is no failure. */
  optional: z.boolean().default(false),
});

export type GoodsBlock = z.infer<typeof goodsBlock>;

/** structured: read from JSON-LD, microdata or OpenGraph; none: these pages hold no goods. */
export const goodsSchema = z.union([z.enum(['structured', 'none']), goodsBlock], {
  error: (issue) =>
    typeof issue.input === 'object'
      ? undefined
      : 'is not a goods block | a block with each and fields, or structured, or none',
});

const urlPattern = z.string().superRefine((pattern, context) => {
  const problem = patternProblem(pattern);
  if (problem === undefined) return;
  const params = { expected: 'a pattern such as /goods/* or https://shop.example/list/**' };
  context.addIssue({ code: 'custom', message: `${JSON.stringify(pattern)} ${problem}`, params });
});

/** One pattern or a list of them. */
export const urlPatterns = z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(urlPattern));

/** Links to the next page, as most sites mark them: what `next` stands for. */
const NEXT_PAGE = ['[rel~="next"]', 'a.next', '.next > a', 'a.next-page', '.pagination-next > a'].join(', ');

/** Links that are crawled too. In short: a pattern of URLs, a selector of links, or `next`. */
export const followSchema = z.array(
  z.preprocess(
    (value) => {
      if (typeof value !== 'string') return value;
      if (value === 'next') return { select: NEXT_PAGE };
      return patternProblem(value) === undefined ? { match: value } : { select: value };
    },
    block({
      /** Selector of elements with an address; left out: every link of the page. */
      select: selector.optional(),
      attr: z.string().min(1).default('href'),
      /** Patterns of which the URL must match one; left out: any URL in scope. */
      match: urlPatterns.optional(),
      exclude: urlPatterns.optional(),
      /** Links at most this many steps away from a page that a producer queued. */
      depth: z.int().min(1).optional(),
    }),
  ),
);

export type FollowRule = z.infer<typeof followSchema>[number];
