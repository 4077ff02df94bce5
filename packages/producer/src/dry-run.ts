import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Env } from '@dist-crawl/core/config';
import type { Logger } from '@dist-crawl/core/logging';
import type { Site } from '@dist-crawl/core/sites';
import { ownPace } from './manners.js';
import type { Order } from './settings.js';
import { createSift } from './sift.js';
import { openSource } from './sources/open-source.js';
import { Tally } from './tally.js';

/** URLs written at once. */
const CHUNK = 500;

export interface DryRunOptions {
  readonly order: Order;
  readonly contact: string | undefined;
  readonly env: Env;
  readonly output: Writable;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Prints what a round would hand to the frontier, one URL a line, as fast as the reader takes it. */
export async function dryRun(options: DryRunOptions): Promise<void> {
  for (const site of options.order.sites) await printSite(site, options);
}

async function printSite(site: Site, { order, contact, env, output, logger, signal }: DryRunOptions): Promise<void> {
  const source = openSource(site, order, { place: ownPace(site), contact, env, logger });
  const sift = createSift(site, order.sites);
  const tally = new Tally();
  let chunk: string[] = [];
  let printed = 0;
  const print = async (): Promise<void> => {
    printed += chunk.length;
    if (chunk.length > 0 && !output.write(`${chunk.join('\n')}\n`)) await once(output, 'drain', { signal });
    chunk = [];
  };
  for await (const candidate of source.candidates(signal)) {
    const sifted = sift(candidate);
    if ('refused' in sifted) tally.refuse(sifted.refused, candidate);
    if ('url' in sifted) chunk.push(sifted.url);
    if (chunk.length >= CHUNK) await print();
  }
  await print();
  for (const line of tally.refusals()) logger.warn(line);
  logger.info(`${site.name}, ${source.name}: ${printed} URLs, nothing queued (dry run)`);
}
