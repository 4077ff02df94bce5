import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { lookupPublic } from './addresses.js';

/** Bytes of all headers of an answer together. */
const MAX_HEADER_BYTES = 65_536;
const CONNECT_TIMEOUT_MS = 10_000;
/** Shorter than the five seconds after which common servers close: a request must not meet a connection just closed. */
const KEEP_ALIVE_MS = 4_000;

/** What sends requests; an undici Agent is one. */
export interface Connections {
  request(options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Lets running requests end. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly allowPrivateAddresses: boolean;
  /** Makes the connections in place of this machine: through a proxy, which then looks names up itself. */
  readonly connector?: buildConnector.connector;
  /** Connections to one origin; more requests than that wait for one. */
  readonly perOrigin: number;
}

/** Connections that are kept alive between requests. */
export function createConnections({ allowPrivateAddresses, connector, perOrigin }: ConnectionOptions): Dispatcher {
  return new Agent({
    connections: perOrigin,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Times are limited by the deadline of a fetch as a whole.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: connector ?? {
      timeout: CONNECT_TIMEOUT_MS,
      ...(allowPrivateAddresses ? {} : { lookup: lookupPublic }),
    },
  });
}
