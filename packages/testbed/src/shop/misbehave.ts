import type { ServerResponse } from 'node:http';
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

function sendWhole(response: ServerResponse, answer: Answer, headers: Readonly<Record<string, string>> = {}): void {
  writeHead(response, answer, headers);
  response.end(answer.body);
}

function writeHead(response: ServerResponse, { status, type, body }: Answer, headers = {}): void {
  response.writeHead(status, { 'content-type': type, 'content-length': body.length, ...headers });
}

/** The reset waits until the first half is on its way, so that the client sees a body that breaks off. */
async function sendHalf(response: ServerResponse, answer: Answer): Promise<void> {
  writeHead(response, answer);
  await new Promise<void>((resolve) => {
    response.write(answer.body.subarray(0, answer.body.length >> 1), () => resolve());
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
  writeHead(response, answer);
  const step = Math.max(1, Math.round(bytesPerSecond / DRIPS_PER_SECOND));
  for (let sent = 0; sent < answer.body.length; sent += step) {
    response.write(answer.body.subarray(sent, sent + step));
    await sleep(1_000 / DRIPS_PER_SECOND, undefined, { signal });
  }
  response.end();
}

function errorAnswer(status: number): Answer {
  const body = Buffer.from(
    `<!DOCTYPE html>\n<title>${status}</title>\n<h1>${status}</h1>\n<p>demo shop: a fault by order</p>\n`,
  );
  return { status, type: 'text/html; charset=utf-8', body };
}

/** RFC 9110, 10.2.3: seconds or a date. A date has whole seconds, so it is rounded up. */
function retryAfter({ retryAfter: form, retryAfterSeconds }: Fault): Record<string, string> {
  switch (form) {
    case 'none':
      return {};
    case 'seconds':
      return { 'retry-after': String(Math.ceil(retryAfterSeconds)) };
    case 'date':
      return { 'retry-after': new Date(Math.ceil(Date.now() / 1_000 + retryAfterSeconds) * 1_000).toUTCString() };
  }
}
