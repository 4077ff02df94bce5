export { type Config, type ConfigSources, loadConfig, loadLocalConfig, type LocalConfig } from './load-config.js';
export { findHome, resolveUserPath } from './home.js';
export {
  describeServer,
  type RedisAddress,
  type ServerAddress,
  type Servers,
  type ServerSource,
  SERVICES_FILE,
} from './servers.js';
export {
  type ClusterTarget,
  describeRedis,
  type HostPort,
  type RedisTarget,
  type SentinelTarget,
} from './redis-target.js';
export { allSettings, type Role } from './settings.js';
export type { Fallback, Setting } from './setting.js';
export { type Env, processEnv } from './process-env.js';
export { siteEnv } from './site-env.js';
export { cron, duration, matching, names, oneOf, text, type ValueKind, wholeNumber } from './value-kinds.js';
export {
  defineFlags,
  type Flags,
  type FlagSpec,
  type FlagSpecs,
  type FlagValues,
  checkedValues,
  readFlags,
} from './flags.js';
export { HelpRequested, runProgram } from './program.js';
export { stripArgv } from './argv.js';
export { suggest } from './suggest.js';
