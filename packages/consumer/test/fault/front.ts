import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Front {
  readonly url: string;
  stop(): Promise<void>;
}

/** Changes the body of an answer, or leaves it as it is with null. */
export type Rewrite = (path: string, body: string) => string | null;

/** A server in front of the shop that shows some of its pages otherwise. */
export async function startFront(shopUrl: () => string, rewrite: Rewrite): Promise<Front> {
  const serve = (asked: IncomingMessage, response: ServerResponse): void => {
    const path = asked.url ?? '/';
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    const passed = request(new URL(path, shopUrl()), { headers, method: asked.method ?? 'GET' }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const body = Buffer.concat(parts);
        const other = rewrite(path, body.toString('utf8'));
        const sent = other === null ? body : Buffer.from(other);
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-length': sent.length });
        response.end(sent);
      });
      answer.on('error', () => response.destroy());
    });
    passed.on('error', () => response.destroy());
    passed.end();
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
