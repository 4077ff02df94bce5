import { load, type CheerioAPI } from 'cheerio';
import type { Document } from 'domhandler';
import { inScope, type Site } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import { z } from 'zod';
import type { Resolve } from '../document/links.js';
import type { GoodsRow } from '../goods-row.js';
import { describeError } from './describe-error.js';
import type { ModulePage, SiteModule } from './site-module.js';

/** What the module gets, but for the parts that it may do without. */
export interface ModuleInput extends Omit<ModulePage, '$' | 'resolve'> {
  /** The code of a currency's mark or code; null for what is none. */
  readonly currencyOf: (mark: string) => string | null;
  readonly document: Document;
  readonly resolve: Resolve;
}

export type ModuleAnswer =
  | { readonly goods: readonly GoodsRow[]; readonly follow: readonly CanonicalUrl[] }
  | { readonly failed: string };

/** Asks a site's module for rows and links of a page. What it throws, or gives that is none, is the answer's `failed`. */
export function runModule(
  module: SiteModule,
  site: Site,
  { document, currencyOf, ...input }: ModuleInput,
): ModuleAnswer {
  let api: CheerioAPI | undefined;
  const page: ModulePage = {
    ...input,
    get $() {
      api ??= load(document);
      return api;
    },
  };
  const { resolve } = input;
  try {
    const goods = module.goods === undefined ? input.goods : rowsOf(call(module, 'goods', page), resolve, currencyOf);
    const follow = call(module, 'follow', page);
    return { goods, follow: linksOf(follow, site, resolve) };
  } catch (error) {
    if (error instanceof ModuleError) return { failed: `${module.file}: ${error.message}` };
    throw error;
  }
}

/** The module's own fault. */
class ModuleError extends Error {}

function call(module: SiteModule, name: 'goods' | 'follow', page: ModulePage): unknown {
  const run = module[name];
  if (run === undefined) return page[name];
  let given: unknown;
  try {
    given = run(page);
  } catch (error) {
    throw new ModuleError(`${name}() ${describeError(error, module.file)}`);
  }
  if (!(given instanceof Promise)) return given;
  given.catch(() => undefined); // its own error, if any, is not the process's end
  throw new ModuleError(`${name}() gave a promise; expected its answer at once`);
}

const AMOUNT = /^-?\d+(?:\.\d+)?$/;
const NO_AMOUNT = 'is no amount; expected such as 12.50, or null (page.price(text) reads one)';

/** A row as modules give it: columns and attributes side by side, or attributes in a block of their own. */
const rowSchema = z.looseObject({
  goods_url: z.string().nullish(),
  goods_name: z.string().nullish(),
  price: z
    .union([z.string(), z.number()], { error: NO_AMOUNT })
    .transform(String)
    .refine((amount) => AMOUNT.test(amount), { error: NO_AMOUNT })
    .nullish(),
  currency: z.string().nullish(),
  attributes: z.record(z.string(), z.unknown()).nullish(),
});

function rowsOf(given: unknown, resolve: Resolve, currencyOf: ModuleInput['currencyOf']): GoodsRow[] {
  const codeOf = (mark: string, index: number): string => {
    const code = currencyOf(mark);
    if (code !== null) return code;
    throw new ModuleError(
      `goods() gave no rows: [${index}].currency ${JSON.stringify(mark)}: is no currency of ISO 4217`,
    );
  };
  const result = z.array(rowSchema, { error: 'expected a list of rows' }).safeParse(given);
  if (!result.success) throw new ModuleError(`goods() gave no rows: ${describeIssue(result.error.issues[0], given)}`);
  return result.data.map(({ goods_url, goods_name, price, currency, attributes, ...others }, index) => ({
    goods_url: typeof goods_url === 'string' ? resolve(goods_url) : null,
    goods_name: goods_name ?? null,
    price: price ?? null,
    currency: (currency ?? '') === '' ? null : codeOf(currency ?? '', index),
    attributes: asJson({ ...attributes, ...others }, index),
  }));
}

/** What of the attributes can be stored, without ties to the page. */
function asJson(attributes: Record<string, unknown>, index: number): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(attributes)) as Record<string, unknown>;
  } catch (error) {
    throw new ModuleError(`goods() gave a row that is no JSON: [${index}]: ${describeError(error)}`);
  }
}

function linksOf(given: unknown, { scope }: Site, resolve: Resolve): CanonicalUrl[] {
  const result = z.array(z.string(), { error: 'expected a list of addresses' }).safeParse(given);
  if (!result.success) throw new ModuleError(`follow() gave no links: ${describeIssue(result.error.issues[0], given)}`);
  const links = new Set<CanonicalUrl>();
  for (const address of result.data) {
    const url = resolve(address);
    if (url !== null && inScope({ scope }, url)) links.add(url);
  }
  return [...links];
}

/** `[3].price "¥12": is no amount`; `undefined: expected a list of rows`. */
function describeIssue(issue: z.core.$ZodIssue | undefined, given: unknown): string {
  if (issue === undefined) return 'something else';
  let value: unknown = given;
  let place = '';
  for (const part of issue.path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
    place += typeof part === 'number' ? `[${part}]` : `.${String(part)}`;
  }
  const shown = Array.isArray(value)
    ? 'a list'
    : typeof value === 'object' && value !== null
      ? 'an object'
      : (JSON.stringify(value) ?? String(value));
  return `${place === '' ? '' : `${place} `}${shown.slice(0, 60)}: ${issue.message}`;
}
