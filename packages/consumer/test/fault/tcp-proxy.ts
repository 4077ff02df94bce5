import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What becomes of bytes on their way. `cut`: they are dropped, and both ends of the connection are reset. */
type Verdict = 'pass' | 'cut';

export interface TcpProxyOptions {
  /** Of the server behind it, on 127.0.0.1; asked for each connection. */
  readonly port: number | (() => number);
  /** Where it listens; default 127.0.0.1. */
  readonly host?: string;
  readonly onRequest?: (bytes: Buffer, connection: object) => Verdict;
  readonly onReply?: (bytes: Buffer, connection: object) => Verdict;
}

export interface TcpProxy {
  readonly port: number;
  /** The URL of the server behind it, led through the proxy. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Stands between a client and its server, and cuts connections between two bytes of the caller's choice. */
export async function startTcpProxy({
  port,
  host = '127.0.0.1',
  onRequest,
  onReply,
}: TcpProxyOptions): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const behind = connect({ port: typeof port === 'number' ? port : port(), host: '127.0.0.1', noDelay: true });
    const both = [client, behind];
    const end = (): void => both.forEach((socket) => socket.destroy());
    const cut = (): void => both.forEach((socket) => socket.resetAndDestroy());
    for (const socket of both) {
      open.add(socket);
      socket.on('error', end);
      socket.once('close', () => {
        open.delete(socket);
        end();
      });
    }
    client.on('data', (bytes) => {
      if ((onRequest?.(bytes, client) ?? 'pass') === 'cut') cut();
      else behind.write(bytes);
    });
    behind.on('data', (bytes) => {
      if ((onReply?.(bytes, client) ?? 'pass') === 'cut') cut();
      else client.write(bytes);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const own = (server.address() as AddressInfo).port;
  return {
    port: own,
    through(url) {
      const led = new URL(url);
      led.hostname = host;
      led.port = String(own);
      return led.href;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
