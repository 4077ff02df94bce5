import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startStaticServer } from '@dist-crawl/testbed';

const run = promisify(execFile);

export interface Walk {
  readonly tool: 'wget --spider -r' | 'a walk by regular expression';
  /** Paths of HTML pages that exist and are reached by links. */
  readonly pages: readonly string[];
}

/** The HTML pages of a folder that another program reaches by links from the starts: what it asked a server of its own for. */
export async function walk(directory: string, starts: readonly string[]): Promise<Walk> {
  const server = await startStaticServer({ directory });
  try {
    const urls = starts.map((path) => server.url + path);
    const tool = await wget(urls).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await walkByRegex(urls);
      return 'a walk by regular expression' as const;
    });
    const served = Object.entries(server.counts().paths).filter(([, { complete }]) => complete > 0);
    return { tool, pages: served.map(([path]) => path).filter((path) => path.endsWith('.html')) };
  } finally {
    await server.stop();
  }
}

async function wget(urls: readonly string[]): Promise<'wget --spider -r'> {
  const options = ['--spider', '--recursive', '--level=inf', '--no-verbose', '--no-config', '--execute=robots=off'];
  try {
    await run('wget', [...options, ...urls], { cwd: '/tmp', maxBuffer: 1e8 });
  } catch (error) {
    if (isMissing(error) || !isBrokenLinks(error)) throw error;
  }
  return 'wget --spider -r';
}

/** wget's exit code 8: a server answered with an error, as it does for a broken link. */
function isBrokenLinks(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 8;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function walkByRegex(urls: readonly string[]): Promise<void> {
  const seen = new Set(urls);
  for (const url of seen) {
    const response = await fetch(url);
    const text = await response.text();
    if (!response.ok || !url.endsWith('.html')) continue;
    for (const [, href = ''] of text.matchAll(/\bhref\s*=\s*["']([^"'#]+)/giu)) {
      const link = new URL(href.replaceAll('&amp;', '&'), url);
      if (link.origin === new URL(url).origin) seen.add(link.href);
    }
  }
}
