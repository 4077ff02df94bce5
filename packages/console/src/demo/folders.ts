import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findHome } from '@dist-crawl/core/config';
import { localDirectory } from '@dist-crawl/testbed';

/** Where the demo keeps what it makes: `.local/demo` of the project's root. */
export interface DemoFolders {
  /** The project's root, for the daemons; `CRAWL_HOME` may name another than the checkout. */
  readonly home: string;
  /** The root of the checkout, where the programs are. */
  readonly checkout: string;
  readonly demo: string;
  readonly logs: string;
  readonly sites: string;
  /** What `--keep` left running. */
  readonly recordFile: string;
  /** Shell lines that set the addresses, for `source`. */
  readonly envFile: string;
}

export function demoFolders(): DemoFolders {
  const home = findHome();
  const demo = join(home, '.local', 'demo');
  return {
    home,
    checkout: dirname(localDirectory()),
    demo,
    logs: join(demo, 'logs'),
    sites: join(demo, 'sites'),
    recordFile: join(demo, 'running.json'),
    envFile: join(demo, 'env.sh'),
  };
}

/** Makes the folders, without logs and site files of an earlier run. */
export async function prepareFolders({ logs, sites }: DemoFolders): Promise<void> {
  for (const folder of [logs, sites]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  }
}

/** What tells this demo's keys and rows from others'. */
export interface DemoNames {
  readonly site: string;
  readonly namespace: string;
}

/**
 * The names of `sites/demo-shop.yaml` on private servers. On servers that the user gave, names that no other crawl has: their keys and rows
 * must not be mixed with those of a real one.
 */
export function demoNames(onOwnServers: boolean, now: Date): DemoNames {
  if (onOwnServers) return { site: 'demo-shop', namespace: 'dist:crawl' };
  const stamp = now
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[^0-9]/gu, '');
  return { site: `demo-shop-${stamp}`, namespace: `dist:crawl:demo-${stamp}` };
}

/** Writes the site file of the demo: the one that comes with the product, with the shop's real address. */
export async function writeSiteFile(
  { checkout, sites }: DemoFolders,
  { site, namespace }: DemoNames,
  shopUrl: string,
): Promise<void> {
  const text = await readFile(join(checkout, 'sites', 'demo-shop.yaml'), 'utf8');
  const changes = { name: site, namespace, base: shopUrl };
  const changed = Object.entries(changes).reduce(
    (before, [key, value]) => before.replace(new RegExp(`^${key}:.*$`, 'mu'), () => `${key}: ${value}`),
    text,
  );
  await writeFile(join(sites, 'demo-shop.yaml'), changed);
}
