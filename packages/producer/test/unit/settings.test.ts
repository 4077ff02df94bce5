import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '@dist-crawl/core/config';
import { ConfigError } from '@dist-crawl/core/errors';
import { readSettings, wantsDryRun } from '../../src/settings.js';

const servers = { REDIS_URL: 'redis://h', DATABASE_URL: 'mysql://h/d' };
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'dist-crawl-producer-'));
  mkdirSync(join(home, 'sites'));
  addSite('books', 'pages: /list?page={page}');
  onTestFinished(() => rmSync(home, { recursive: true }));
});

function addSite(name: string, ...lines: string[]): void {
  writeFileSync(
    join(home, 'sites', `${name}.yaml`),
    [`name: ${name}`, `base: https://${name}.example`, ...lines].join('\n'),
  );
}

function read(...argv: string[]) {
  return readSettings(() => loadConfig('producer', { env: servers, home }), argv).order;
}

/** What the user reads, with the temporary folder's name taken out. */
function refusal(argv: string[], env: Record<string, string> = servers): string {
  try {
    readSettings(() => loadConfig('producer', { env, home }), argv);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.message.replaceAll(home, '<home>').replaceAll(process.cwd(), '<cwd>');
    throw error;
  }
  return 'nothing is wrong';
}

describe('an order', () => {
  test('takes the only site, all pages, each once', () => {
    expect(read('--', '--pages', '1-200')).toMatchObject({
      sites: [{ name: 'books' }],
      origin: { kind: 'pages', ranges: [{ first: 1, last: 200 }] },
      shard: { index: 1, count: 1 },
      fresh: false,
      skipArchived: false,
      every: undefined,
    });
  });

  test('takes the only site that has pages, where pages are wanted', () => {
    addSite('news');
    expect(read('--pages', '1').sites.map(({ name }) => name)).toEqual(['books']);
  });

  test('takes the sites that are named, each once', () => {
    addSite('toys', 'pages: /{page}');
    expect(read('--pages', '1', '--site', 'toys,books,toys').sites.map(({ name }) => name)).toEqual(['books', 'toys']);
  });

  test('takes a list, or stdin', () => {
    writeFileSync(join(home, 'urls.txt'), '');
    expect(read('--urls', join(home, 'urls.txt')).origin).toEqual({ kind: 'list', path: join(home, 'urls.txt') });
    expect(read('--urls', '-').origin).toEqual({ kind: 'stdin' });
  });

  test('takes the entry pages of a site that has some, always afresh', () => {
    addSite('tea', 'entries: [/, /green]');
    expect(read('--entries')).toMatchObject({ sites: [{ name: 'tea' }], origin: { kind: 'entries' }, fresh: true });
  });

  test('takes sitemaps: those that the site names, or one', () => {
    expect(read('--sitemap').origin).toEqual({ kind: 'sitemap', start: 'listed' });
    expect(read('--sitemap', '--shard', '1/2').origin).toEqual({ kind: 'sitemap', start: 'listed' });
    const start = 'https://books.example/map.xml';
    expect(read('--sitemap', start).origin).toEqual({ kind: 'sitemap', start });
  });

  test('lets a range end, after five pages in a row or as many as are given', () => {
    expect(read('--pages', '1-9').untilEmpty).toBeUndefined();
    expect(read('--pages', '1-9', '--until-empty').untilEmpty).toBe(5);
    expect(read('--until-empty', '2', '--pages', '1-9').untilEmpty).toBe(2);
  });

  test('knows a dry run before anything else is read', () => {
    expect(wantsDryRun(['--dry-run', '--pages', 'x'])).toBe(true);
    expect(wantsDryRun(['--pages', '1'])).toBe(false);
    expect(wantsDryRun(['--help', '--dry-run'])).toBe(false);
  });
});

describe('wrong input is told all at once', () => {
  test('flags, settings and sites', () => {
    const argv = ['--pages', '5-1,0,abc', '--shard', '3/2', '--every', '61 * * * *', '--site', 'book', '--fesh', 'now'];
    expect(
      refusal(argv, { REDIS_URL: 'http://h', DATABASE_URL: 'mysql://h/d', ENQUEUE_BATCH: 'many' }),
    ).toMatchSnapshot();
  });

  test('no pages and no list', () => {
    expect(refusal([])).toMatchSnapshot();
  });

  test('a wrong --pages is not told as missing, too', () => {
    expect(refusal(['--pages', '0'])).toMatchSnapshot();
  });

  test('a flag without its value', () => {
    expect(refusal(['--pages'])).toMatchSnapshot();
  });

  test('flags that do not go together', () => {
    const argv = ['--pages', '1', '--urls', '-', '--fresh', '--skip-archived', '--every', '0 3 * * *', '--dry-run'];
    expect(refusal(argv)).toMatchSnapshot();
    addSite('books', 'entries: [/]');
    expect(
      refusal(['--entries', '--sitemap', '--fresh', '--skip-archived', '--until-empty', '--dry-run']),
    ).toMatchSnapshot();
  });

  test('sitemaps and entries', () => {
    expect(refusal(['--entries'])).toMatchSnapshot();
    expect(refusal(['--sitemap', 'map.xml'])).toMatchSnapshot();
    expect(refusal(['--pages', '1', '--until-empty', 'soon'])).toMatchSnapshot();
  });

  test('a list that cannot be read', () => {
    expect(refusal(['--urls', 'no-such-file.txt'])).toMatchSnapshot();
    expect(refusal(['--urls', home])).toMatchSnapshot();
  });

  test('several sites and none named', () => {
    addSite('toys', 'pages: /{page}');
    addSite('news');
    expect(refusal(['--pages', '1'])).toMatchSnapshot();
    expect(refusal(['--urls', '-'])).toMatchSnapshot();
    expect(refusal(['--urls', '-', '--site', 'toys,news'])).toMatchSnapshot();
  });

  test('a site without pages', () => {
    addSite('books');
    expect(refusal(['--pages', '1'])).toMatchSnapshot();
    addSite('news');
    expect(refusal(['--pages', '1'])).toMatchSnapshot();
    expect(refusal(['--pages', '1', '--site', 'news'])).toMatchSnapshot();
  });
});
