import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError, type ConfigProblem } from '../errors/index.js';
import { type Logger, redactText } from '../logging/index.js';
import type { Part, Phase } from './part.js';
import { DeadlineError, withDeadline } from './waiting.js';

/** A check that takes longer is taken for a no. */
const checkDeadlineMs = 2000;

export type Readiness = 'ready' | { readonly notReady: string };

/** Asked at every request to /readyz: keep it cheap. What it throws is the reason. */
export type ReadinessCheck = () => Readiness | Promise<Readiness>;

export interface HealthOptions {
  readonly host: string;
  /** 0 takes any free port; undefined turns the server off. */
  readonly port: number | undefined;
  readonly phase: () => Phase;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly logger: Logger;
}

/**
 * `/healthz`: 200 while the process answers at all. `/readyz`: 200 when every check says so and the daemon runs, else 503,
 * with what is missing as JSON. Put it first among the parts, so that it answers from start to end.
 */
export class HealthServer implements Part {
  readonly name = 'health server';
  readonly #options: HealthOptions;
  #server: Server | undefined;
  #stopped = false;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** The port in use, or undefined while none is. */
  get port(): number | undefined {
    const address = this.#server?.address() as AddressInfo | null | undefined;
    return address?.port;
  }

  /** @throws ConfigError when the address cannot be listened on. */
  async start(): Promise<void> {
    const { host, port, logger } = this.#options;
    if (port === undefined || this.#server !== undefined || this.#stopped) return;
    const server = createServer((request, response) => void this.#answer(request, response));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(new ConfigError([listenProblem(error, host, port)])),
      );
      server.listen(port, host, resolve);
    });
    if (this.#stopped) {
      server.close();
      return;
    }
    server.on('error', (error) => logger.error({ err: error }, 'health server'));
    logger.info(`health: http://${host.includes(':') ? `[${host}]` : host}:${this.port}/readyz`);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const server = this.#server;
    this.#server = undefined;
    if (server?.listening !== true) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  /** Never rejects: a check that throws is a reason, and a client that went away is no event. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return send(response, 405, { error: 'GET only' });
    }
    switch (request.url?.split('?')[0] ?? '') {
      case '/healthz':
        return send(response, 200, { status: 'alive', uptimeSeconds: Math.round(process.uptime()) });
      case '/readyz': {
        const phase = this.#options.phase();
        const checks = await this.#runChecks();
        const ready = phase === 'running' && Object.values(checks).every((verdict) => verdict === 'ready');
        return send(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', phase, checks });
      }
      default:
        return send(response, 404, { error: 'only /healthz and /readyz are here' });
    }
  }

  async #runChecks(): Promise<Record<string, string>> {
    const verdicts = Object.entries(this.#options.checks).map(
      async ([name, check]) => [name, await runCheck(check)] as const,
    );
    return Object.fromEntries(await Promise.all(verdicts));
  }
}

async function runCheck(check: ReadinessCheck): Promise<string> {
  try {
    const readiness = await withDeadline(checkDeadlineMs, undefined, check);
    return readiness === 'ready' ? 'ready' : redactText(readiness.notReady);
  } catch (error) {
    if (error instanceof DeadlineError) return `no answer within ${checkDeadlineMs} ms`;
    return redactText(error instanceof Error ? error.message : String(error));
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): ConfigProblem {
  switch (error.code ?? '') {
    case 'EADDRINUSE':
      return {
        where: 'HEALTH_PORT',
        what: `port ${port} on ${host} is taken by another process`,
        expected: 'a port of its own for each daemon, 0 for any free one, or nothing for none',
      };
    case 'EACCES':
      return { where: 'HEALTH_PORT', what: `port ${port} needs more rights`, expected: 'a port from 1024 up' };
    default:
      return {
        where: 'HEALTH_HOST',
        what: `cannot listen on ${host}: ${error.message}`,
        expected: 'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
      };
  }
}
