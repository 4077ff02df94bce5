import { z } from 'zod';
import { redactUrl } from '../logging/index.js';
import type { ValueKind } from './value-kinds.js';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** User, password and encryption, the same for every server of a Sentinel or Cluster set-up. */
interface RedisAccess {
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
}

/** A master that sentinels watch: they say where it is, again after each failover. */
export interface SentinelTarget extends RedisAccess {
  readonly sentinels: readonly HostPort[];
  /** The name under which the sentinels know the master. */
  readonly master: string;
  readonly database: number;
  /** Of the sentinels themselves, where they ask for one. */
  readonly sentinelPassword?: string;
}

/** Some nodes of a cluster; they name the others. */
export interface ClusterTarget extends RedisAccess {
  readonly cluster: readonly HostPort[];
}

/** Where Redis is and how to get in: one server, one behind sentinels, or a cluster. Holds secrets: see `describeRedis`. */
export type RedisTarget = { readonly url: string } | SentinelTarget | ClusterTarget;

/** Hosts and database, without user and password: for messages. */
export function describeRedis(target: RedisTarget): string {
  if ('url' in target) return redactUrl(target.url);
  if ('cluster' in target) return `cluster ${hostList(target.cluster)}${target.tls ? ' (TLS)' : ''}`;
  const database = target.database === 0 ? '' : `/${target.database}`;
  return `${target.master}${database} of sentinels ${hostList(target.sentinels)}${target.tls ? ' (TLS)' : ''}`;
}

const hostList = (hosts: readonly HostPort[]): string =>
  hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');

const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6379;
/** What Sentinel's own examples call a master. */
const USUAL_MASTER = 'mymaster';

/** `[redis[s]://][user:password@]host[:port],…[/master[/database]]` */
export function sentinels(): ValueKind<SentinelTarget> {
  return {
    expected: 'host:port,host:port,…/master-name, with user:password@ of Redis before the hosts, and rediss:// for TLS',
    schema: z.string().transform((written, context) => {
      const list = readList(written, SENTINEL_PORT);
      const [master = '', database = '0', ...more] = typeof list === 'string' ? [] : list.path.split('/');
      const what = typeof list === 'string' ? list : wrongPath(database, more);
      if (typeof list === 'string' || what !== undefined) {
        context.addIssue({ code: 'custom', message: what ?? '' });
        return z.NEVER;
      }
      const { hosts, access } = list;
      return { sentinels: hosts, master: master === '' ? USUAL_MASTER : master, database: Number(database), ...access };
    }),
  };
}

/** `[redis[s]://][user:password@]host[:port],…` */
export function clusterNodes(): ValueKind<ClusterTarget> {
  return {
    expected: 'host:port,host:port,…, with user:password@ before the hosts, and rediss:// for TLS',
    schema: z.string().transform((written, context) => {
      const list = readList(written, REDIS_PORT);
      const what =
        typeof list === 'string' || list.path === ''
          ? list
          : 'a cluster has no databases: nothing may follow the hosts';
      if (typeof what === 'string') {
        context.addIssue({ code: 'custom', message: what });
        return z.NEVER;
      }
      return { cluster: what.hosts, ...what.access };
    }),
  };
}

interface HostListing {
  readonly hosts: readonly HostPort[];
  readonly access: RedisAccess;
  readonly path: string;
}

/** The parts, or what is wrong. What stands before the `@` is never shown: it may be a password. */
function readList(written: string, defaultPort: number): HostListing | string {
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/isu.exec(written) ?? [];
  if (scheme !== undefined && !/^rediss?$/iu.test(scheme)) return `${scheme}:// is not redis:// or rediss://`;
  const at = rest.lastIndexOf('@');
  const access = at === -1 ? {} : readAccess(rest.slice(0, at));
  if (typeof access === 'string') return access;
  const [names = '', ...path] = rest.slice(at + 1).split('/');
  const hosts: HostPort[] = [];
  for (const name of names.split(',').map((each) => each.trim())) {
    const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]?#]+))(?::(\d{1,5}))?$/iu.exec(name) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined) return name === '' ? 'an empty place in the list of hosts' : `'${name}' is not host:port`;
    if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return `${port} is not a port`;
    hosts.push({ host, port: port === undefined ? defaultPort : Number(port) });
  }
  return { hosts, access: { ...access, tls: scheme?.toLowerCase() === 'rediss' }, path: path.join('/') };
}

function readAccess(written: string): { username?: string; password?: string } | string {
  const colon = written.indexOf(':');
  if (colon === -1) return 'no : between user and password before the @ (the name of a master stands behind the hosts)';
  try {
    const [username, password] = [written.slice(0, colon), written.slice(colon + 1)].map(decodeURIComponent);
    return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
  } catch {
    return 'a % in user or password that is not followed by two digits (write %25)';
  }
}

function wrongPath(database: string, more: readonly string[]): string | undefined {
  if (more.length > 0) return 'more than a master and a database behind the hosts';
  return /^\d{1,5}$/u.test(database) ? undefined : `database '${database}' is not a number`;
}
