import { aptAccess, aptInstall } from './apt-install.js';
import { dockerRuns } from './docker-server.js';
import { findMySqlProgram, type MySqlProgram } from './mysql-program.js';
import { findRedisProgram } from './redis-server.js';

/** How a server will be got going. */
type Way<Program> =
  | { readonly by: 'given'; readonly url: string }
  | { readonly by: 'program'; readonly program: Program }
  | { readonly by: 'docker' };

export interface Ways {
  readonly redis: Way<string>;
  readonly mysql: Way<MySqlProgram>;
}

/** The outside world, as far as the choice depends on it. Tests put their own in its place. */
export interface Surroundings {
  readonly findRedis: () => Promise<string | null>;
  readonly findMysql: () => Promise<MySqlProgram | null>;
  readonly dockerRuns: () => Promise<boolean>;
  readonly aptAccess: () => Promise<'root' | 'sudo' | 'none'>;
  readonly aptInstall: typeof aptInstall;
}

export const REAL_SURROUNDINGS: Surroundings = {
  findRedis: findRedisProgram,
  findMysql: findMySqlProgram,
  dockerRuns,
  aptAccess,
  aptInstall,
};

export interface WayOptions {
  readonly redisUrl?: string | undefined;
  readonly databaseUrl?: string | undefined;
  readonly log?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** No way to get Redis or MySQL here. The message tells the three ways for the user to help. */
export class ServersMissingError extends Error {
  readonly code = 'SERVERS_MISSING';

  constructor(missing: readonly string[], reasons: readonly string[]) {
    super(
      [
        `There is no ${missing.join(' and no ')} on this machine. Do one of these, then run the command again:`,
        '  1. install them: redis-server (6.2 or newer; or valkey-server), and mariadb-server (10.11 or newer; or',
        '     mysql-server 8.4) - Debian, Ubuntu: sudo apt-get install redis-server mariadb-server;',
        '     macOS: brew install redis mariadb - they need not run as services;',
        '  2. start a Docker engine (`docker info` must answer);',
        '  3. set REDIS_URL and DATABASE_URL to servers that you have, in the environment or in .env.',
        ...reasons.map((reason) => `(${reason})`),
      ].join('\n'),
    );
    this.name = 'ServersMissingError';
  }
}

/**
 * For each of the two servers the first way that is open: the URL given, a program of this machine, Docker, and last
 * packages by apt (which are then programs of this machine). Throws `ServersMissingError` if one has none.
 */
export async function chooseWays(options: WayOptions, around: Surroundings = REAL_SURROUNDINGS): Promise<Ways> {
  let { redis, mysql } = await lookAround(options, around);
  if (redis !== null && mysql !== null) return { redis, mysql };

  if (await around.dockerRuns()) return { redis: redis ?? { by: 'docker' }, mysql: mysql ?? { by: 'docker' } };

  const reasons = ['no Docker engine answers'];
  const access = await around.aptAccess();
  if (access === 'none') {
    reasons.push('packages can be installed by this command only on Debian or Ubuntu, as root or with sudo');
  } else {
    const packages = [...(redis === null ? ['redis-server'] : []), ...(mysql === null ? ['mariadb-server'] : [])];
    const how = access === 'sudo' ? 'sudo apt-get' : 'apt-get';
    options.log?.(
      `No ${packages.join(', no ')} and no Docker here: installing with ${how} install --no-install-recommends ` +
        `${packages.join(' ')}. Their system services are neither started nor enabled. This may take a minute.`,
    );
    const failure = await around.aptInstall(access, packages, options.signal);
    if (failure !== null) reasons.push(`apt-get failed: ${failure}`);
    ({ redis, mysql } = await lookAround(options, around));
    if (redis !== null && mysql !== null) return { redis, mysql };
  }
  const missing = [...(redis === null ? ['Redis'] : []), ...(mysql === null ? ['MySQL'] : [])];
  throw new ServersMissingError(missing, reasons);
}

async function lookAround(
  { redisUrl, databaseUrl }: WayOptions,
  around: Surroundings,
): Promise<{ redis: Way<string> | null; mysql: Way<MySqlProgram> | null }> {
  const [redis, mysql] = await Promise.all([
    isSet(redisUrl) ? { by: 'given' as const, url: redisUrl } : asProgram(around.findRedis()),
    isSet(databaseUrl) ? { by: 'given' as const, url: databaseUrl } : asProgram(around.findMysql()),
  ]);
  return { redis, mysql };
}

function isSet(url: string | undefined): url is string {
  return url !== undefined && url !== '';
}

async function asProgram<Program>(found: Promise<Program | null>): Promise<Way<Program> | null> {
  const program = await found;
  return program === null ? null : { by: 'program', program };
}
