import { ConfigError, type ConfigProblem } from '../errors/index.js';

/** What a `mysql://` URL says, checked. */
export interface DatabaseTarget {
  readonly host: string;
  readonly port: number;
  readonly socketPath: string | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** `verify`: TLS with a trusted certificate; `insecure`: TLS with any certificate; `off`: plain. */
  readonly tls: 'off' | 'verify' | 'insecure';
}

const EXPECTED = 'mysql://user:password@host:3306/database';
const PARAMETERS = ['tls', 'socket'];

/** Every problem of a database URL; none of the texts holds the password. `where` is what the user wrote it in. */
export function databaseUrlProblems(text: string, where: string): ConfigProblem[] {
  if (!URL.canParse(text)) return [{ where, what: 'it is not a URL', expected: EXPECTED }];
  const url = new URL(text);
  const problems: ConfigProblem[] = [];
  const report = (what: string, expected: string) => problems.push({ where, what, expected });
  if (url.protocol !== 'mysql:' && url.protocol !== 'mariadb:') report(`it starts with ${url.protocol}`, EXPECTED);
  if (url.hostname === '') report('it names no host', EXPECTED);
  if (!/^\/[^/]+$/.test(url.pathname)) report('it names no database', EXPECTED);
  if (![url.username, url.password, url.pathname].every(isDecodable)) report('it has a broken % escape', EXPECTED);
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.includes(name)) report(`it has the unknown parameter ${name}`, `one of ${PARAMETERS.join(', ')}`);
  }
  const tls = url.searchParams.get('tls');
  if (tls !== null && !isTls(tls)) report(`it has tls=${tls}`, 'tls=off, tls=verify or tls=insecure');
  return problems;
}

/** Reads a database URL. @throws ConfigError with every problem found. */
export function parseDatabaseUrl(text: string, where = 'DATABASE_URL'): DatabaseTarget {
  const problems = databaseUrlProblems(text, where);
  if (problems.length > 0) throw new ConfigError(problems);
  const url = new URL(text);
  const tls = url.searchParams.get('tls') ?? 'off';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 3306 : Number(url.port),
    socketPath: url.searchParams.get('socket') ?? undefined,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    tls: isTls(tls) ? tls : 'off',
  };
}

/** `host:port/database` of a database URL, for logs and errors: never user or password. */
export function addressOf(text: string): string {
  const { host, port, socketPath, database } = parseDatabaseUrl(text);
  return socketPath === undefined ? `${host}:${port}/${database}` : `${socketPath}/${database}`;
}

function isTls(value: string): value is DatabaseTarget['tls'] {
  return value === 'off' || value === 'verify' || value === 'insecure';
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
