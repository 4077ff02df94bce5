import { z } from 'zod';
import { block } from './block.js';
import { followSchema, goodsSchema, urlPatterns } from './field-schema.js';
import { paceSchema } from './pace.js';
import { proxiesSchema } from './proxy-schema.js';

const httpUrl = z.string().superRefine((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return;
  const params = { expected: 'an http or https URL without user and password, such as https://shop.example' };
  context.addIssue({ code: 'custom', message: `${JSON.stringify(value)} is not one`, params });
});

/** Host names as URLs have them (lower case, punycode), `*.` in front for all below it, `:port` where it is not the default. */
const host = z.string().transform((value, context) => {
  const wildcard = value.startsWith('*.') ? '*.' : '';
  const text = `http://${value.slice(wildcard.length)}/`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && url.href === `http://${url.host}/` && !url.hostname.includes('*')) return wildcard + url.host;
  const params = { expected: 'a host such as shop.example, *.shop.example or 127.0.0.1:8099' };
  context.addIssue({ code: 'custom', message: `${JSON.stringify(value)} is not a host`, params });
  return z.NEVER;
});

const scopeSchema = block({
  /** Left out: the host and port of `base`. */
  hosts: z.array(host).min(1).optional(),
  include: urlPatterns.default([]),
  exclude: urlPatterns.default([]),
});

const dedupSchema = z
  .union(
    [
      z.enum(['set', 'bloom']),
      block({
        bloom: block({
          errorRate: z.number().min(1e-12).max(0.1).default(1e-6),
          initialCapacity: z.int().min(1000).max(1_000_000_000).default(1_000_000),
        }),
      }),
    ],
    {
      error: (issue) =>
        typeof issue.input === 'object'
          ? undefined
          : 'is not a store | set, bloom, or bloom: { errorRate, initialCapacity }',
    },
  )
  .transform((dedup) => {
    if (dedup === 'set') return { store: 'set' as const };
    return {
      store: 'bloom' as const,
      ...(dedup === 'bloom' ? { errorRate: 1e-6, initialCapacity: 1_000_000 } : dedup.bloom),
    };
  });

const limitFields = {
  /** For one page as a whole: connecting, redirects, body. */
  timeoutMs: z.int().min(100).max(600_000),
  /** Of the body, after decompression. */
  maxBytes: z.int().min(1024).max(1_000_000_000),
  maxRedirects: z.int().min(0).max(20),
  /** Of the document: beyond it a page is not read, so that no page can stall a worker. */
  maxElements: z.int().min(100).max(10_000_000),
  maxNesting: z.int().min(16).max(10_000),
};
const limitDefaults = {
  timeoutMs: 30_000,
  maxBytes: 10_485_760,
  maxRedirects: 10,
  maxElements: 100_000,
  maxNesting: 512,
};

export type Limits = { readonly [key in keyof typeof limitFields]: number };

const limitsSchema = block(z.object(limitFields).partial().shape);

/** Headers that the HTTP client sets itself, or that have a key of their own in the site file. */
const RESERVED_HEADERS = new Set(
  'host content-length transfer-encoding connection upgrade expect te trailer keep-alive cookie user-agent'.split(' '),
);

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'is not a header name' })
  .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), {
    error: 'is set elsewhere',
    params: { expected: 'another header (userAgent and cookies have keys of their own)' },
  });
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'has characters that no header can have' });

/** What ends links that lead on for ever. Holds for links found on pages only, not for what a producer queues. */
const trapsSchema = block({
  /** Times in a row that the same part of a path may stand in it: /a/b/a/b/a/b repeats 3 times. */
  pathRepeats: z.int().min(2).max(100).default(3),
  /** URLs of one path with two or more query parameters. */
  queryVariants: z.int().min(1).max(1_000_000_000).default(10_000),
});

const kindSchema = block({
  /** URLs of this kind; the first kind that matches counts. */
  match: urlPatterns.refine((patterns) => patterns.length > 0, { error: 'is empty' }),
  goods: goodsSchema.optional(),
  follow: followSchema.optional(),
  limits: limitsSchema.optional(),
});

/** What a site file may say. Strict: a key that is not here is a mistake of the writer. */
export const siteSchema = block({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, { error: 'is not a name' }),
  namespace: z
    .string()
    .regex(/^[^\s{}]{1,128}$/, { error: 'is not a namespace' })
    .optional(),
  base: httpUrl,
  pages: z
    .string()
    .refine((pages) => pages.split('{page}').length === 2, {
      error: 'has not one {page}',
      params: { expected: 'a URL or path with {page} where the number goes, such as /list?page={page}' },
    })
    .optional(),
  /** Home and category pages, where `--entries` begins. */
  entries: z
    .preprocess((entries) => (typeof entries === 'string' ? [entries] : entries), z.array(z.string().trim().min(1)))
    .default([]),
  pace: paceSchema.prefault({}),
  dedup: dedupSchema.prefault('set'),
  scope: scopeSchema.prefault({}),
  allowPrivateAddresses: z.boolean().default(false),
  robots: z.enum(['obey', 'ignore']).default('obey'),
  userAgent: headerValue.min(1).optional(),
  headers: z.record(headerName, headerValue).default({}),
  cookies: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'is not a cookie name' }),
      z.string().regex(/^[^\s;,\\"]*$/),
    )
    .default({}),
  /** Left out: the site is asked without a proxy. */
  proxies: proxiesSchema.optional(),
  limits: limitsSchema.prefault({}),
  /** Query parameters that do not make another page; left out: the usual ones (utm_*, gclid, …). */
  trackingParameters: z.array(z.string().min(1)).optional(),
  /** Language of numbers and dates, such as de-DE. */
  locale: z
    .string()
    .refine(isLocale, { error: 'is not a locale', params: { expected: 'a tag such as de-DE or zh-CN' } })
    .optional(),
  /** Currency of prices that do not say theirs, or whose mark several countries share. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'is not a currency' })
    .optional(),
  /** Links away from a page that a producer queued. */
  maxDepth: z.int().min(0).optional(),
  /** Pages of the site in all, for all nodes together. */
  maxPages: z.int().min(1).optional(),
  traps: trapsSchema.prefault({}),
  goods: goodsSchema.default('structured'),
  /** JavaScript for what these keys can't say: a file in the site file's folder or below it. */
  module: z
    .string()
    .regex(/^\.\/(?!(?:.*\/)?\.\.\/)[^\\\0]+\.mjs$/, { error: 'is not a module' })
    .optional(),
  follow: followSchema.default([]),
  kinds: z.record(z.string().regex(/^[\w-]+$/, { error: 'is not a name' }), kindSchema).default({}),
}).transform((site) => ({
  ...site,
  namespace: site.namespace ?? `dist:crawl:${site.name}`,
  scope: { ...site.scope, hosts: site.scope.hosts ?? [new URL(site.base).host] },
  limits: withLimits(limitDefaults, site.limits),
  kinds: Object.entries(site.kinds).map(([name, kind]) => ({
    name,
    match: kind.match,
    goods: kind.goods ?? site.goods,
    follow: kind.follow ?? site.follow,
    limits: withLimits(withLimits(limitDefaults, site.limits), kind.limits ?? {}),
  })),
}));

/** A site as its file describes it, all defaults filled in. */
export type Site = z.infer<typeof siteSchema>;

export type PageKind = Site['kinds'][number];

function withLimits(limits: Limits, changes: z.infer<typeof limitsSchema>): Limits {
  return {
    timeoutMs: changes.timeoutMs ?? limits.timeoutMs,
    maxBytes: changes.maxBytes ?? limits.maxBytes,
    maxRedirects: changes.maxRedirects ?? limits.maxRedirects,
    maxElements: changes.maxElements ?? limits.maxElements,
    maxNesting: changes.maxNesting ?? limits.maxNesting,
  };
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
