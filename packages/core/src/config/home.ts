import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../errors/index.js';
import { type Env, processEnv } from './process-env.js';

/**
 * The project's root: where `.env`, `sites/` and `.local/` are. `CRAWL_HOME` names it; else it is the nearest folder from `cwd`
 * upwards that holds `pnpm-workspace.yaml` or `sites/` (`pnpm --filter consumer start` runs in packages/consumer), or from
 * the program upwards (`node /opt/dist-crawl/packages/console/dist/main.js` run elsewhere); else `cwd` itself.
 *
 * @throws ConfigError when CRAWL_HOME names no folder.
 */
export function findHome(
  cwd: string = process.cwd(),
  env: Env = processEnv(),
  programFolder: string = dirname(process.argv[1] ?? cwd),
): string {
  const named = env['CRAWL_HOME'];
  if (named !== undefined && named !== '') return checkedHome(resolve(cwd, named));
  return homeAbove(resolve(cwd)) ?? homeAbove(programFolder) ?? resolve(cwd);
}

function homeAbove(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'pnpm-workspace.yaml')) || isFolder(join(folder, 'sites'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * A path as the user meant it on the command line: relative to where the user stood, which is not where a script of a
 * package runs. npm and pnpm keep that place in INIT_CWD. It is believed only while the process runs in the
 * folder of the script's own package: a program that such a script starts elsewhere inherits the variable, too.
 */
export function resolveUserPath(path: string, cwd: string = process.cwd(), env: Env = processEnv()): string {
  return resolve(userFolder(cwd, env), path);
}

function userFolder(cwd: string, env: Env): string {
  const scriptFolder = env['PNPM_SCRIPT_SRC_DIR'] ?? packageFolder(env['npm_package_json']);
  const stood = env['INIT_CWD'];
  return stood !== undefined && stood !== '' && scriptFolder === cwd ? stood : cwd;
}

function packageFolder(packageJson: string | undefined): string | undefined {
  return packageJson === undefined ? undefined : dirname(packageJson);
}

function checkedHome(home: string): string {
  if (isFolder(home)) return home;
  throw new ConfigError([
    { where: 'CRAWL_HOME', what: `${home} is not a folder`, expected: 'the folder that holds .env and sites/' },
  ]);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
