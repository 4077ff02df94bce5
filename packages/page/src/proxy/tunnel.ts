import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import { buildConnector } from 'undici';
import { FetchFailure } from '../fetch/failure.js';
import type { ProxyAddress } from './proxy-address.js';

/** For the way to the proxy and on to the site. */
const TUNNEL_TIMEOUT_MS = 10_000;

/**
 * Makes connections of undici through a proxy: HTTP CONNECT (RFC 9110, 9.3.6) for http and https pages alike, or SOCKS5
 * (RFC 1928, 1929). The proxy looks names up. Whatever goes wrong before the tunnel stands is `proxy`; after it, the TLS
 * of the site included, it is told as without one.
 */
export function tunnelThrough(proxy: ProxyAddress): buildConnector.connector {
  const toSite = buildConnector({ timeout: TUNNEL_TIMEOUT_MS });
  const connect = async (options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> => {
    const host = options.hostname.replaceAll(/^\[|\]$/g, '');
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    let socket: Socket;
    try {
      socket = await (proxy.kind === 'socks5' ? openSocks(proxy, host, port) : openHttp(proxy, host, port));
    } catch (error) {
      callback(proxyFailure(proxy, error), null);
      return;
    }
    socket.setNoDelay(true);
    if (options.protocol === 'https:') toSite({ ...options, httpSocket: socket }, callback);
    else callback(null, socket);
  };
  return (options, callback) => void connect(options, callback); // its errors go to the callback
}

function proxyFailure({ label }: ProxyAddress, error: unknown): FetchFailure {
  const reason = error instanceof Error ? error.message : String(error);
  return new FetchFailure('proxy', `proxy ${label}: ${reason}`, { cause: error });
}

async function openSocks(
  { host, port, user, password }: ProxyAddress,
  toHost: string,
  toPort: number,
): Promise<Socket> {
  const credentials = user === '' ? {} : { userId: user, password };
  const { socket } = await SocksClient.createConnection({
    proxy: { host, port, type: 5, ...credentials },
    command: 'connect',
    destination: { host: toHost, port: toPort },
    timeout: TUNNEL_TIMEOUT_MS,
  });
  socket.setTimeout(0);
  return socket;
}

function openHttp(proxy: ProxyAddress, toHost: string, toPort: number): Promise<Socket> {
  const { kind, host, port, user, password } = proxy;
  const target = `${toHost.includes(':') ? `[${toHost}]` : toHost}:${toPort}`;
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  const headers = { host: target, ...(user === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }) };
  return new Promise((resolve, reject) => {
    const request = (kind === 'https' ? httpsRequest : httpRequest)({
      host,
      port,
      method: 'CONNECT',
      path: target,
      headers,
      agent: false,
      timeout: TUNNEL_TIMEOUT_MS,
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TUNNEL_TIMEOUT_MS / 1000} s`)));
    request.on('error', reject);
    // An answer that is no switch to a tunnel, or a refusal, which Node hands over here, too.
    request.on('response', ({ statusCode }) => {
      request.destroy();
      reject(new Error(`it answered ${statusCode} to CONNECT`));
    });
    request.on('connect', ({ statusCode }, socket, head) => {
      if (statusCode === undefined || statusCode < 200 || statusCode > 299) {
        socket.destroy();
        reject(new Error(`it answered ${statusCode} to CONNECT`));
        return;
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}
