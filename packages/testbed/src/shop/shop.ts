import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ShopGoods } from './catalogue.js';
import { handleControl } from './control.js';
import { ShopCounter, type ShopCounts } from './counts.js';
import { chooseFault, type Fault, type FaultInput, faultsSchema } from './faults.js';
import type { ShopCharset } from './markup.js';
import { send } from './misbehave.js';
import { withValidators } from './validators.js';
import { ShopMap } from './shop-map.js';
import { faultTarget, routeOf, ShopPages } from './shop-pages.js';

export interface ShopOptions {
  /** Default 0: any free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** List pages; default 200. Nothing is made before it is asked for, so a hundred million are no burden. */
  readonly pages?: number;
  readonly seed?: number;
  readonly cardsPerPage?: number;
  readonly charset?: ShopCharset;
  /** A page number beyond the last gives the last page instead of 404. */
  readonly clamp?: boolean;
  readonly faults?: readonly FaultInput[];
  /** Replaces the shop's own robots.txt. */
  readonly robots?: string;
  /** Gives pages an ETag and a Last-Modified, and answers 304 where those still hold; default false. */
  readonly validators?: boolean;
  /** Told each request, a line at a time. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Shop {
  /** `http://127.0.0.1:8099`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly pages: number;
  counts(): ShopCounts;
  /** Forgets counts and attempts. */
  reset(): void;
  /** Throws ZodError for what is no fault. */
  setFaults(faults: readonly FaultInput[]): void;
  /** The truth about a list page: what a crawl of it must have found. */
  expectedGoods(page: number): ShopGoods[];
  /** Cuts open connections, too. May be called twice. */
  stop(): Promise<void>;
}

/**
 * A shop over HTTP that any crawler can be tried on. Control paths, which are not counted: `GET /-/stats` (`?brief`
 * leaves out paths and times), `POST /-/reset`, `POST /-/faults` with a JSON array of faults.
 */
export async function startShop(options: ShopOptions = {}): Promise<Shop> {
  const host = options.host ?? '127.0.0.1';
  const seed = options.seed ?? 1;
  const map = new ShopMap(seed, options.pages ?? 200, options.cardsPerPage ?? 24);
  const pages = new ShopPages(map, { charset: options.charset ?? 'utf-8', clamp: options.clamp ?? false });
  const counter = new ShopCounter();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // one for each answer under way
  let faults: readonly Fault[] = faultsSchema.parse(options.faults ?? []);
  const setFaults = (given: unknown): void => {
    faults = faultsSchema.parse(given);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? '/';
    const origin = `http://${request.headers.host ?? `${host}:${port}`}`;
    if (target.startsWith('/-/')) return handleControl(request, response, { counter, setFaults });
    const attempt = counter.arrived(target, request.headers['user-agent'] ?? '');
    const fate = watch(response, stopping.signal);
    const sentBefore = request.socket.bytesWritten;
    const headersSent = (): number | null => (response.headersSent ? response.statusCode : null);
    response.once('close', () => {
      const bytes = request.socket.bytesWritten - sentBefore;
      counter.ended(target, { status: headersSent(), complete: response.writableFinished, bytes });
      options.log?.(`${request.method ?? ''} ${target} ${headersSent() ?? 'reset'} ${bytes}`);
    });
    if (target === '/robots.txt' && options.robots !== undefined) {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(options.robots);
      return;
    }
    const route = routeOf(new URL(target, 'http://shop'));
    const fault = chooseFault(faults, seed, faultTarget(route, attempt));
    if (fault !== null) counter.hit(fault.kind);
    const answer = fault?.kind === 'not-found' ? pages.notFound() : pages.answer(route, origin, fault);
    const conditional = options.validators === true && answer.status === 200;
    await send(response, conditional ? withValidators(answer, request.headers) : answer, fault, fate);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // A client that went away, or the stop, ends a slow answer; anything else is a defect to be seen.
      if (!(error instanceof Error && error.name === 'AbortError')) options.log?.(`shop: ${String(error)}`);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 60_000;
  const port = await listen(server, options.port ?? 0, host);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    pages: map.pages,
    counts: () => counter.read(),
    reset: () => counter.reset(),
    setFaults,
    expectedGoods: (page) => map.listGoods(page),
    stop: async () => {
      stopping.abort();
      await close(server);
    },
  };
}

/** Aborted when the client has gone or the shop stops. */
function watch(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  stopping.addEventListener('abort', abort, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', abort);
    gone.abort();
  });
  return gone.signal;
}

/** Starts listening and gives the port. Rejects if the port is taken. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  return address.port;
}

export async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
