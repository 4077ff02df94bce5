import { resolve } from 'node:path';
import { ConfigError, type ConfigProblem } from '../errors/index.js';
import { type EnvFile, readEnvFile } from './env-file.js';
import { findHome } from './home.js';
import { type Env, processEnv } from './process-env.js';
import { loadServers, type Servers } from './servers.js';
import type { Values } from './setting.js';
import { SettingReader } from './setting-reader.js';
import { allSettings, type Role, roleSettings, sharedSettings } from './settings.js';
import { suggest } from './suggest.js';

/** What a role runs with, apart from the servers. */
export type LocalConfig<R extends Role> = Values<typeof sharedSettings> &
  Values<(typeof roleSettings)[R]> & {
    readonly role: R;
    /** The project's root, absolute. `sitesDir` is absolute, too. */
    readonly home: string;
  };

/** What a role runs with. */
export type Config<R extends Role> = LocalConfig<R> & Servers;

export interface ConfigSources {
  /** Default: the real environment. */
  readonly env?: Env;
  /** Default: {@link findHome}. */
  readonly home?: string;
  /** The flags that were read: their problems are told together with those of the settings. */
  readonly flags?: { readonly problems: readonly ConfigProblem[] };
  /** Tells a cron expression from a wrong one more strictly than by its look. */
  readonly isCron?: (expression: string) => boolean;
}

/**
 * The settings of a role, with the addresses of Redis and MySQL.
 *
 * @throws ConfigError with every problem found, each with where it stands; no message shows a secret.
 */
export function loadConfig<R extends Role>(role: R, sources: ConfigSources = {}): Config<R> {
  const { config, reader } = read(role, sources);
  const servers = loadServers(reader, config.home);
  throwProblems(reader.problems);
  return { ...config, ...servers };
}

/** As {@link loadConfig}, for commands that need neither Redis nor MySQL. */
export function loadLocalConfig<R extends Role>(role: R, sources: ConfigSources = {}): LocalConfig<R> {
  const { config, reader } = read(role, sources);
  throwProblems(reader.problems);
  return config;
}

function read<R extends Role>(role: R, sources: ConfigSources): { config: LocalConfig<R>; reader: SettingReader } {
  const env = sources.env ?? processEnv();
  const home = sources.home ?? findHome(process.cwd(), env);
  const known = new Set(allSettings().map(({ setting }) => setting.name));
  const file = readEnvFile(home, known);
  const reader = new SettingReader(env, file, sources.isCron ?? (() => true));
  reader.problems.push(...(sources.flags?.problems ?? []), ...file.problems, ...mistyped(file, known));
  const shared = reader.readGroup(sharedSettings);
  const own = reader.readGroup<(typeof roleSettings)[R]>(roleSettings[role]);
  const sitesDir = resolve(home, shared.sitesDir);
  return { config: { ...shared, ...own, sitesDir, role, home }, reader };
}

/** Names in `.env` that are nearly those of settings. Others are let be: docker compose reads the same file. */
function mistyped(file: EnvFile, known: ReadonlySet<string>): ConfigProblem[] {
  return [...file.lines].flatMap(([name, line]) => {
    const meant = known.has(name) ? undefined : suggest(name, known);
    return meant === undefined ? [] : [{ where: `${name} in .env:${line}`, what: 'unknown name', expected: meant }];
  });
}

function throwProblems(problems: readonly ConfigProblem[]): void {
  if (problems.length > 0) throw new ConfigError(problems);
}
