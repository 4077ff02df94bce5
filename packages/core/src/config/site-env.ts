import { readEnvFile } from './env-file.js';
import { findHome } from './home.js';
import { type Env, processEnv } from './process-env.js';

/** What `${NAME}` in a site file stands for: the environment, and below it `.env` of the project's root. */
export function siteEnv(home: string = findHome(), env: Env = processEnv()): Env {
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  return { ...readEnvFile(home, new Set()).values, ...Object.fromEntries(given) };
}
