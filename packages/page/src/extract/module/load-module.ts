import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '@dist-crawl/core/errors';
import type { LoadedSite } from '@dist-crawl/core/sites';
import { describeError } from './describe-error.js';
import { MODULE_FUNCTIONS, type ModuleFunctions, type SiteModule } from './site-module.js';

/**
 * Loads the module that a site file points to; null where it points to none. A process keeps the module that it loaded first.
 * @throws ConfigError where it can't be read or run, or exports nothing that is used, with the place in the site file
 */
export async function loadModule({ site, file: siteFile, problem }: LoadedSite): Promise<SiteModule | null> {
  if (site.module === undefined) return null;
  const file = join(dirname(siteFile), site.module);
  const wrong = (what: string, expected: string): ConfigError => new ConfigError([problem(['module'], what, expected)]);
  let text: Buffer;
  try {
    text = readFileSync(file);
  } catch (error) {
    throw wrong(`${file} can't be read: ${describeError(error)}`, 'a JavaScript module beside the site file');
  }
  let exported: Record<string, unknown>;
  try {
    exported = (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  } catch (error) {
    // Node.js tells the line of a syntax error to its own terminal only
    const more = error instanceof SyntaxError ? ` (\`node --check ${file}\` shows the line)` : '';
    const expected = `a JavaScript module that Node.js can run${more}`;
    throw wrong(`${file} can't be loaded: ${describeError(error, file)}`, expected);
  }
  const functions: Record<string, unknown> = {};
  for (const name of MODULE_FUNCTIONS) {
    const value = exported[name];
    if (value === undefined) continue;
    if (typeof value !== 'function') throw wrong(`${file} exports ${name}, which is no function`, `a function ${name}`);
    functions[name] = value;
  }
  if (Object.keys(functions).length === 0) {
    const names = Object.keys(exported).join(', ');
    throw wrong(`${file} exports ${names === '' ? 'nothing' : names}`, `a function ${MODULE_FUNCTIONS.join(' or ')}`);
  }
  return { ...(functions as ModuleFunctions), file, hash: createHash('sha256').update(text).digest('hex') };
}
