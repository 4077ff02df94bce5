import { validateDetailed } from 'node-cron';
import {
  cron,
  defineFlags,
  type Flags,
  type FlagSpecs,
  names,
  readFlags,
  text,
  type ValueKind,
  wholeNumber,
} from '@dist-crawl/core/config';
import type { ConfigProblem } from '@dist-crawl/core/errors';
import { clash, originProblems } from './origins.js';
import { pageRanges } from './page-ranges.js';
import { LISTED, sitemapUrl } from './sitemap-url.js';
import { shard } from './shard.js';

const specs = {
  pages: {
    syntax: '--pages <ranges>',
    doc: "list pages by number: 1-200, or 1-50,80,100-120 (the site file's `pages` says what their URLs are)",
    value: pageRanges(),
  },
  urls: {
    syntax: '--urls <file>',
    doc: 'URLs from a file, one a line, or from stdin (-); blank lines and those that begin with # are skipped',
    value: text('a file with one URL a line, or - for stdin'),
  },
  entries: {
    syntax: '--entries',
    doc: "the site file's `entries`, home and category pages; consumers follow their links",
  },
  sitemap: {
    syntax: '--sitemap [url]',
    doc: 'the pages of a sitemap, index or feed (default: those that robots.txt names, else /sitemap.xml)',
    value: sitemapUrl(),
    bare: LISTED,
  },
  untilEmpty: {
    syntax: '--until-empty [n]',
    doc: 'end a range of --pages once n pages in a row (default 5) are missing, empty, or repeat an earlier one',
    value: wholeNumber(1, 1000),
    bare: '5',
  },
  sites: {
    syntax: '--site <names>',
    doc: 'sites, separated by commas (default: the only one in the sites folder)',
    value: names(),
  },
  shard: {
    syntax: '--shard <i/n>',
    doc: 'only the i-th of n parts, for n producers on one range or list: pages by number, lists by line',
    value: shard(),
  },
  fresh: { syntax: '--fresh', doc: 'crawl again what is done' },
  skipArchived: { syntax: '--skip-archived', doc: 'skip also what was done so long ago that only MySQL knows' },
  every: {
    syntax: '--every <cron>',
    doc: "stay, and start a round each time, not at once: '0 3 * * *' is every night at three, local time",
    value: cronExpression(),
  },
  dryRun: { syntax: '--dry-run', doc: 'print the URLs and queue nothing; needs no server' },
} satisfies FlagSpecs;

const producerFlags = defineFlags({
  usage: 'pnpm --filter producer start --',
  about: 'Queues the pages of a site for the consumers. What is queued, done or dead already is skipped.',
  specs,
  after: `Examples:
  pnpm --filter producer start -- --pages 1-200
  pnpm --filter producer start -- --site books --pages 1-1000000 --shard 1/2
  pnpm --filter producer start -- --pages 1-100000 --until-empty
  pnpm --filter producer start -- --site news --entries
  zcat urls.gz | pnpm --filter producer start -- --urls - --dry-run
`,
});

export type ProducerFlags = Flags<typeof specs>;

/** @throws HelpRequested */
export function readProducerFlags(argv?: readonly string[]): ProducerFlags {
  return readFlags(producerFlags, argv);
}

/** What is wrong with flags that are each right by itself. */
export function combinationProblems({ values, problems }: ProducerFlags): ConfigProblem[] {
  const given = (flag: string, value: unknown): boolean =>
    (value !== undefined && value !== false) || problems.some(({ where }) => where.startsWith(flag));
  const pages = given('--pages', values.pages);
  const every = given('--every', values.every);
  const untilEmpty = given('--until-empty', values.untilEmpty);
  const sitemap = given('--sitemap', values.sitemap);
  const { entries } = values;
  return [
    ...originProblems({
      '--pages': pages,
      '--urls': given('--urls', values.urls),
      '--entries': entries,
      '--sitemap': sitemap,
    }),
    ...clash('--until-empty', 'there is no range that could end', '--pages beside it', untilEmpty && !pages),
    ...clash('--until-empty and --dry-run', 'a dry run crawls nothing', 'one of them', untilEmpty && values.dryRun),
    ...clash(
      '--entries and --fresh',
      'entry pages are crawled again anyway, and pages that links lead to are not',
      '--entries alone',
      entries && values.fresh,
    ),
    ...clash(
      '--entries and --skip-archived',
      'entry pages are crawled again anyway',
      '--entries alone',
      entries && values.skipArchived,
    ),
    ...clash('--fresh and --skip-archived', 'one undoes the other', 'one of them', values.fresh && values.skipArchived),
    ...clash('--dry-run and --every', 'a dry run does not stay', 'one of them', values.dryRun && every),
    ...clash(
      '--dry-run and --skip-archived',
      'a dry run asks no server what is archived',
      'one of them',
      values.dryRun && values.skipArchived,
    ),
    ...clash('--urls - and --every', 'stdin can be read once only', 'a file', values.urls === '-' && every),
  ];
}

/** A cron expression that the scheduler can follow. */
function cronExpression(): ValueKind<string> {
  const { expected, schema } = cron();
  return {
    expected,
    schema: schema.superRefine((written, context) => {
      const { valid, errors } = validateDetailed(written);
      const reasons = errors
        .map(({ field, value, message }) => (value === undefined ? message : `${field}: ${value}`))
        .join(', ');
      if (!valid) context.addIssue({ code: 'custom', message: `'${written}' is not a cron expression (${reasons})` });
    }),
  };
}
