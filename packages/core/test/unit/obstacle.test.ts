import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { obstacle } from '../../src/redis/obstacle.js';

describe('what keeps Redis from being reached', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((socket) => socket.on('error', () => undefined).end('-ERR no TLS here\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((listening) => server.once('listening', listening));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => server.close());

  const sentinels = (ports: number[], tls = false) => ({
    sentinels: ports.map((each) => ({ host: '127.0.0.1', port: each })),
    master: 'm',
    database: 0,
    tls,
  });

  it('is told for the first host, where none can be reached', async () => {
    expect(await obstacle(sentinels([1, 2]))).toBe('127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1');
    const nowhere = { cluster: [{ host: 'redis.invalid', port: 6379 }], tls: false };
    expect(await obstacle(nowhere)).toMatch(/^redis\.invalid:6379: (?:getaddrinfo E|no connection within)/);
  });

  it('is none where one can be, and left to the client where there is one server', async () => {
    expect(await obstacle(sentinels([1, port]))).toBeNull();
    expect(await obstacle({ url: 'redis://127.0.0.1:1' })).toBeNull();
  });

  it('may be in TLS', async () => {
    expect(await obstacle(sentinels([port], true))).toMatch(/^127\.0\.0\.1:\d+: .*(?:SSL|wrong version)/i);
  });
});
