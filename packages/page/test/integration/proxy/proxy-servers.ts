import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy that sends every request, whatever host it is for, to one port of this machine. */
export interface TestProxy {
  readonly port: number;
  /** Targets it was asked for: `host:port`. */
  readonly targets: string[];
  /** Answers no more than a refusal while true. */
  refusing: boolean;
  close(): Promise<void>;
}

export interface TestProxyOptions {
  readonly toPort: number;
  readonly user?: string;
  readonly password?: string;
}

/** HTTP CONNECT with Basic authentication. */
export async function startHttpProxy({ toPort, user, password }: TestProxyOptions): Promise<TestProxy> {
  const expected = user === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const server = createHttpServer((_, response) => response.writeHead(400).end());
  const proxy = await started(server);
  server.on('connect', (request, client: Socket) => {
    client.on('error', () => undefined);
    const status = proxy.refusing ? 502 : request.headers['proxy-authorization'] === expected ? 200 : 407;
    client.write(`HTTP/1.1 ${status} x\r\n\r\n`);
    if (status !== 200) return client.end();
    proxy.targets.push(request.url ?? '');
    return join(client, toPort);
  });
  return proxy;
}

/** SOCKS5 (RFC 1928) with user and password (RFC 1929), as far as CONNECT to a name or an IPv4 address goes. */
export async function startSocksProxy({ toPort, user, password }: TestProxyOptions): Promise<TestProxy> {
  const server = createServer((client) => {
    client.on('error', () => undefined);
    void converse(client).catch(() => client.destroy());
  });
  const proxy = await started(server);
  const converse = async (client: Socket): Promise<void> => {
    await next(client);
    client.write(Buffer.from([5, user === undefined ? 0 : 2]));
    if (user !== undefined) {
      const given = await next(client);
      const nameLength = given[1] ?? 0;
      const name = given.subarray(2, 2 + nameLength).toString();
      const secret = given.subarray(3 + nameLength).toString();
      const right = name === user && secret === password;
      client.write(Buffer.from([1, right ? 0 : 1]));
      if (!right) return void client.end();
    }
    const wanted = await next(client);
    const isName = wanted[3] === 3;
    const host = isName ? wanted.subarray(5, 5 + (wanted[4] ?? 0)).toString() : [...wanted.subarray(4, 8)].join('.');
    client.write(Buffer.from([5, proxy.refusing ? 5 : 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    if (proxy.refusing) return void client.end();
    proxy.targets.push(`${host}:${wanted.readUInt16BE(wanted.length - 2)}`);
    return join(client, toPort);
  };
  return proxy;
}

function next(client: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    client.once('data', resolve);
    client.once('close', () => reject(new Error('closed')));
  });
}

function join(client: Socket, port: number): void {
  const onward = connect(port, '127.0.0.1');
  onward.on('error', () => client.destroy());
  client.on('close', () => onward.destroy());
  onward.on('close', () => client.destroy());
  client.pipe(onward).pipe(client);
}

async function started(server: Server): Promise<TestProxy> {
  const clients = new Set<Socket>();
  server.on('connection', (client: Socket) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    targets: [],
    refusing: false,
    async close() {
      for (const client of clients) client.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
