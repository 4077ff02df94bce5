import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnDaemon } from '@dist-crawl/testbed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../../', import.meta.url));

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'dist-crawl-wrong-'));
  mkdirSync(join(home, 'sites'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const goodSite =
  'name: shop\nbase: https://shop.example\npages: /list?page={page}\ngoods:\n  each: .card\n  fields: { goods_name: .title }\n';

/** What a daemon says, and how it ends, with the folder's name taken out. */
async function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const daemon = await spawnDaemon({
    name: program,
    entry: join(packages, program, 'dist/main.js'),
    args,
    cwd: home,
    env: { PATH: process.env['PATH'], CRAWL_HOME: home, ...env },
  });
  const { code } = await daemon.exited;
  return { code, text: daemon.lines().join('\n').replaceAll(home, '<home>') };
}

describe('wrong input ends a daemon before anything is started', () => {
  it('consumer: flags, environment, .env and servers, all at once', async () => {
    writeFileSync(join(home, 'sites/shop.yaml'), goodSite);
    writeFileSync(join(home, '.env'), '# mine\nPROCES_NUM=4\nCONCURRENCY=lots\nDATABASE_URL=mysql://crawl:secret@/\n');
    const { code, text } = await run('consumer', ['--', '--until-don', '--site'], {
      LOG_LEVEL: 'loud',
      TASK_DEADLINE: '60',
    });
    expect(code).toBe(78);
    expect(text).not.toContain('secret');
    expect(text).toMatchInlineSnapshot(`
      "7 settings are wrong; nothing was started.

        --site: no value
          expected --site <names>

        PROCES_NUM in .env:2: unknown name
          expected PROCESS_NUM

        LOG_LEVEL in the environment: 'loud' is none of them
          expected one of trace, debug, info, warn, error, fatal, silent

        CONCURRENCY in .env:3: 'lots' is not a whole number
          expected a whole number from 1 to 1000

        TASK_DEADLINE in the environment: '60' has no unit
          expected a duration with its unit, such as 500ms, 20s, 5m or 2h (1s to 1h)

        DATABASE_URL in .env:4: not a URL
          expected mysql://user:password@host:port/database

        REDIS_URL: not set, and no private servers run
          expected redis://[user:password@]host:port[/database], or rediss:// for TLS in .env, or \`pnpm crawl services start\`, or \`docker compose up\`"
    `);
  });

  it('consumer: a site file, each problem with its line', async () => {
    writeFileSync(
      join(home, 'sites/shop.yaml'),
      'name: My Shop\nbase: shop.example\npages: /list\npace: { rate: fast }\ngood:\n  each: .card\n',
    );
    writeFileSync(join(home, 'sites/other.yaml'), goodSite.replace('.title', "'.title['"));
    const servers = { REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: 'mysql://u:p@127.0.0.1:1/d' };
    const { code, text } = await run('consumer', [], servers);
    expect(code).toBe(78);
    expect(text).toMatchInlineSnapshot(`
      "6 settings are wrong; nothing was started.

        <home>/sites/shop.yaml:1:7 name: "My Shop" is not a name
          expected lower-case letters, digits and dashes, at most 64

        <home>/sites/shop.yaml:2:7 base: "shop.example" is not one
          expected an http or https URL without user and password, such as https://shop.example

        <home>/sites/shop.yaml:3:8 pages: has not one {page}
          expected a URL or path with {page} where the number goes, such as /list?page={page}

        <home>/sites/shop.yaml:4:15 pace.rate: "fast" is not a rate
          expected such as 20/s, 30/m or 600/h (at most 10000/s), or none for no limit

        <home>/sites/shop.yaml:5:1 good: unknown key good (did you mean goods?)
          expected one of name, namespace, base, pages, entries, pace, dedup, scope, allowPrivateAddresses, robots, userAgent, headers, cookies, proxies, limits, trackingParameters, locale, currency, maxDepth, maxPages, traps, goods, module, follow, kinds

        <home>/sites/other.yaml:6:25 goods.fields.goods_name: ".title[" is no selector: Expected name, found its end
          expected a CSS selector"
    `);
  });

  it('retry-scheduler: a cron expression and a count', async () => {
    writeFileSync(join(home, 'sites/shop.yaml'), goodSite);
    const env = {
      RETRY_CRON: 'often',
      MAX_FAILURES: '0',
      REDIS_URL: 'http://127.0.0.1',
      DATABASE_URL: 'mysql://u:p@127.0.0.1:1/d',
    };
    const { code, text } = await run('retry-scheduler', ['--site', 'nowhere'], env);
    expect(code).toBe(78);
    expect(text).toMatchInlineSnapshot(`
      "3 settings are wrong; nothing was started.

        MAX_FAILURES in the environment: 0 is out of range
          expected a whole number from 1 to 1000

        RETRY_CRON in the environment: 'often' is not a cron expression
          expected a cron expression of five fields (six with seconds first), such as '*/30 * * * *'

        REDIS_URL in the environment: http:// is not redis:// or rediss://
          expected redis://[user:password@]host:port[/database], or rediss:// for TLS"
    `);
  });

  it('producer: a range, a shard and nothing to do', async () => {
    writeFileSync(join(home, 'sites/shop.yaml'), goodSite);
    const servers = { REDIS_URL: 'redis://127.0.0.1:1', DATABASE_URL: 'mysql://u:p@127.0.0.1:1/d' };
    const first = await run('producer', ['--', '--pages', '5-1,x', '--shard', '3/2'], servers);
    expect(first.code).toBe(78);
    expect(first.text).toMatchInlineSnapshot(`
      "2 settings are wrong; nothing was started.

        --pages: '5-1' runs backwards; 'x' is no page or range
          expected page numbers from 1 to 1000000000 such as 1-200 or 1-50,80,100-120

        --shard: '3/2' is no shard
          expected i/n with i from 1 to n, such as 1/2 for the first of two producers (n at most 10000)"
    `);
    const second = await run('producer', [], servers);
    expect(second.code).toBe(78);
    expect(second.text).toMatchInlineSnapshot(`
      "A setting is wrong; nothing was started.

        --pages, --urls, --entries or --sitemap: none is given
          expected one of them, such as --pages 1-200"
    `);
  });
});
