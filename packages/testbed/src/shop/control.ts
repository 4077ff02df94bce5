import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';

import type { ShopCounter } from './counts.js';

export interface Controls {
  readonly counter: ShopCounter;
  /** Throws for what is no list of faults. */
  readonly setFaults: (faults: unknown) => void;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** The shop's own paths under `/-/`: what it served, and how it shall behave. */
export async function handleControl(
  request: IncomingMessage,
  response: ServerResponse,
  { counter, setFaults }: Controls,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
  switch (`${request.method} ${pathname}`) {
    case 'GET /-/stats': {
      const { paths, times, ...brief } = counter.read();
      sendJson(response, 200, searchParams.has('brief') ? brief : { ...brief, paths, times });
      return;
    }
    case 'POST /-/reset':
      request.resume();
      counter.reset();
      sendJson(response, 200, { reset: true });
      return;
    case 'POST /-/faults':
      try {
        setFaults(JSON.parse(await readBody(request)));
        sendJson(response, 200, { faults: 'set' });
      } catch (error) {
        sendJson(response, 400, { error: error instanceof z.ZodError ? z.prettifyError(error) : String(error) });
      }
      return;
    default:
      sendJson(response, 404, { error: 'GET /-/stats, POST /-/reset, POST /-/faults' });
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new RangeError('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(value)}\n`);
}
