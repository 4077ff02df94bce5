import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { HostPort, RedisTarget } from '../config/index.js';

const TIMEOUT_MS = 3_000;

/**
 * What keeps the first host of a sentinel or cluster set-up from being reached, where none can be: refused, no such name, a certificate that is
 * not trusted. The client itself only says that none of them helped. Null: a connection could be made, or the client
 * tells the reason itself.
 */
export async function obstacle(target: RedisTarget): Promise<string | null> {
  if ('url' in target) return null;
  const hosts = 'cluster' in target ? target.cluster : target.sentinels;
  const found = await Promise.all(hosts.map(async (host) => obstacleAt(host, target.tls)));
  const [first] = found;
  return first === undefined || found.includes(null) ? null : first;
}

async function obstacleAt({ host, port }: HostPort, tls: boolean): Promise<string | null> {
  const error = await new Promise<Error | null>((resolve) => {
    const socket = tls
      ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
      : connectTcp({ host, port });
    const end = (reason: Error | null): void => {
      resolve(reason);
      socket.destroy();
    };
    socket.setTimeout(TIMEOUT_MS, () => end(new Error(`no connection within ${TIMEOUT_MS / 1000} s`)));
    socket.on('error', end);
    socket.once(tls ? 'secureConnect' : 'connect', () => end(null));
  });
  return error === null ? null : `${host}:${port}: ${error.message || error.name}`;
}
