import { once } from 'node:events';
import { text, wholeNumber } from '@dist-crawl/core/config';
import { ConfigError } from '@dist-crawl/core/errors';
import { FAULT_KINDS, type FaultInput, PASSING_FAULTS, startShop } from '@dist-crawl/testbed';
import type { CommandContext } from '../setup/command-context.js';
import type { OptionReader } from '../setup/option-values.js';

import { SHOP_DEFAULTS } from './shop-defaults.js';

const FAULT_EXPECTED = `<kind>[:<share from 0 to 1>[:<attempts>|always|each]], the kind one of ${FAULT_KINDS.join(', ')}`;

/** `crawl shop`: runs until Ctrl-C. */
export async function runShop({ terminal, signal }: CommandContext, options: OptionReader): Promise<void> {
  const port = options.value('port', wholeNumber(0, 65_535)) ?? SHOP_DEFAULTS.port;
  const pages = options.value('pages', wholeNumber(1, 1_000_000_000)) ?? SHOP_DEFAULTS.pages;
  const seed = options.value('seed', wholeNumber(0, 2 ** 31)) ?? SHOP_DEFAULTS.seed;
  const faults = [...(options.is('faults') ? PASSING_FAULTS : []), ...readFaults(options)];
  if (options.problems.length > 0) throw new ConfigError(options.problems);
  const log = options.is('verbose') ? terminal.note : undefined;
  const running = await start({ port, pages, seed, faults, log });
  terminal.print(`The demo shop is at ${running.url} (${running.pages} list pages of 24 goods). Ctrl-C ends it.`);
  terminal.print('');
  terminal.print(`  a page     ${running.url}/goods/list?page=1`);
  terminal.print(`  try it     pnpm crawl try ${running.url}/goods/list?page=1 --site demo-shop`);
  terminal.print(`  crawl it   pnpm --filter producer start -- --site demo-shop --pages 1-${running.pages}`);
  terminal.print('             pnpm --filter consumer start');
  terminal.print(`  counts     ${running.url}/-/stats?brief`);
  if (running.port !== SHOP_DEFAULTS.port) {
    terminal.print('');
    terminal.print(
      `sites/demo-shop.yaml has port ${SHOP_DEFAULTS.port}: change its base to ${running.url}, or leave --port out.`,
    );
  }
  if (!signal.aborted) await once(signal, 'abort');
  await running.stop();
}

async function start(options: Parameters<typeof startShop>[0] & { port: number }): ReturnType<typeof startShop> {
  try {
    return await startShop(options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')))
      throw error;
    const what =
      error.code === 'EADDRINUSE' ? `port ${options.port} is taken` : `port ${options.port} is not for everyone`;
    throw new ConfigError([{ where: '--port', what, expected: 'a free port, or 0 for any' }]);
  }
}

function readFaults(options: OptionReader): FaultInput[] {
  return options.texts('fault').flatMap((written) => {
    const fault = readFault(written);
    if (fault === undefined) options.problem('fault', `'${written}' is none`, text(FAULT_EXPECTED).expected);
    return fault ?? [];
  });
}

/** `server-error:0.1:always` → kind, rate, attempts. */
export function readFault(written: string): FaultInput | undefined {
  const [name, share = '1', attempts = '1', ...rest] = written.split(':');
  const kind = FAULT_KINDS.find((each) => each === name);
  const rate = Number(share);
  const lasting = attempts === 'always' || attempts === 'each' ? attempts : Number(attempts);
  if (kind === undefined || rest.length > 0 || share === '' || !(rate >= 0 && rate <= 1)) return undefined;
  if (typeof lasting === 'number' && !(Number.isInteger(lasting) && lasting > 0)) return undefined;
  return { kind, rate, attempts: lasting };
}
