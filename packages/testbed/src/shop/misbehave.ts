import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Fault } from './faults.js';
import type { Answer } from './shop-pages.js';

/** Sends an answer the way a fault has it (null: as it should be). Ends early when `signal` says that nobody waits. */
export async function send(
  response: ServerResponse,
  answer: Answer,
  fault: Fault | null,
  signal: AbortSignal,
): Promise<void> {
  switch (fault?.kind) {
    case 'server-error':
      sendWhole(response, errorAnswer(fault.status), fault.status === 503 ? retryAfter(fault) : {});
      return;
    case 'too-many-requests':
      sendWhole(response, errorAnswer(429), retryAfter(fault));
      return;
    case 'reset-before-headers':
      response.socket?.resetAndDestroy();
      return;
    case 'reset-mid-body':
      await sendHalf(response, answer);
      return;
    case 'slow':
      await sleep(fault.delayMs, undefined, { signal });
      break;
    case 'drip':
      await drip(response, answer, fault.bytesPerSecond, signal);
      return;
    case 'wrong-charset':
      sendWhole(response, { ...answer, type: `text/html; charset=${fault.charset}` });
      return;
    case 'not-found': // the page itself says so
    case 'empty-list':
    case 'layout-change':
    case undefined:
      break;
  }
  sendWhole(response, answer);
}

function sendWhole(response: ServerResponse, answer: Answer, headers: OutgoingHttpHeaders = {}): void {
  // Corked, head and parts leave in one write.
  response.cork();
  writeHead(response, answer, headers);
  for (const part of answer.body) response.write(part);
  response.end();
}

function writeHead(
  response: ServerResponse,
  { status, type, body, headers: own }: Answer,
  headers: OutgoingHttpHeaders = {},
): void {
  const length = body.reduce((sum, part) => sum + part.length, 0);
  response.writeHead(status, { 'content-type': type, 'content-length': length, ...own, ...headers });
}

/** The reset waits until the first half is on its way, so that the client sees a body that breaks off. */
async function sendHalf(response: ServerResponse, answer: Answer): Promise<void> {
  const body = Buffer.concat(answer.body);
  writeHead(response, answer);
  await new Promise<void>((resolve) => {
    response.write(body.subarray(0, body.length >> 1), () => resolve());
    response.once('close', resolve);
  });
  response.socket?.resetAndDestroy();
}

const DRIPS_PER_SECOND = 10;

async function drip(
  response: ServerResponse,
  answer: Answer,
  bytesPerSecond: number,
  signal: AbortSignal,
): Promise<void> {
  const body = Buffer.concat(answer.body);
  writeHead(response, answer);
  const step = Math.max(1, Math.round(bytesPerSecond / DRIPS_PER_SECOND));
  for (let sent = 0; sent < body.length; sent += step) {
    response.write(body.subarray(sent, sent + step));
    await sleep(1_000 / DRIPS_PER_SECOND, undefined, { signal });
  }
  response.end();
}

function errorAnswer(status: number): Answer {
  const body = Buffer.from(
    `<!DOCTYPE html>\n<title>${status}</title>\n<h1>${status}</h1>\n<p>demo shop: a fault by order</p>\n`,
  );
  return { status, type: 'text/html; charset=utf-8', body: [body] };
}

/** RFC 9110, 10.2.3: seconds or a date. A date has whole seconds, so it is rounded up. */
function retryAfter({ retryAfter: form, retryAfterSeconds }: Fault): Record<string, string> {
  if (form === 'none') return {};
  if (form === 'seconds') return { 'retry-after': String(Math.ceil(retryAfterSeconds)) };
  return { 'retry-after': new Date(Math.ceil(Date.now() / 1_000 + retryAfterSeconds) * 1_000).toUTCString() };
}
