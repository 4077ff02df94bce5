import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../../src/errors/index.js';
import { createSilentLogger } from '../../../src/logging/index.js';
import { type HealthOptions, HealthServer } from '../../../src/runtime/health-server.js';

async function serve(options: Partial<HealthOptions> = {}) {
  const server = new HealthServer({
    host: '127.0.0.1',
    port: 0,
    phase: () => 'running',
    checks: {},
    logger: createSilentLogger(),
    ...options,
  });
  onTestFinished(() => server.stop());
  await server.start();
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    return { status: response.status, body: method === 'HEAD' ? undefined : ((await response.json()) as unknown) };
  };
  return { server, get };
}

describe('HealthServer', () => {
  test('/healthz answers while the process lives, whatever the checks say', async () => {
    const { get } = await serve({ checks: { redis: () => ({ notReady: 'away' }) } });
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } });
  });

  test('/readyz is 200 when all checks are ready', async () => {
    const { get } = await serve({ checks: { redis: () => 'ready', mysql: () => Promise.resolve('ready') } });
    expect(await get('/readyz?x=1')).toEqual({
      status: 200,
      body: { status: 'ready', phase: 'running', checks: { redis: 'ready', mysql: 'ready' } },
    });
  });

  test('/readyz is 503 and names what is missing, without passwords', async () => {
    const { get } = await serve({
      checks: {
        redis: () => ({ notReady: 'redis://:geheim@h does not answer' }),
        mysql: () => Promise.reject(new Error('pool is closed')),
        workers: () => 'ready',
      },
    });
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: {
        status: 'not ready',
        phase: 'running',
        checks: { redis: 'redis://:***@h does not answer', mysql: 'pool is closed', workers: 'ready' },
      },
    });
  });

  test('/readyz does not wait for a check that hangs', async () => {
    const { get } = await serve({ checks: { redis: () => new Promise(() => undefined) } });
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      body: { checks: { redis: 'no answer within 2000 ms' } },
    });
  });

  test.each(['starting', 'stopping'] as const)('/readyz is 503 while %s', async (phase) => {
    const { get } = await serve({ phase: () => phase });
    expect(await get('/readyz')).toMatchObject({ status: 503, body: { phase } });
  });

  test('other paths are 404, other methods 405, HEAD is fine', async () => {
    const { get } = await serve();
    expect((await get('/')).status).toBe(404);
    expect((await get('/healthz', 'POST')).status).toBe(405);
    expect((await get('/healthz', 'HEAD')).status).toBe(200);
  });

  test('a taken port is a ConfigError that says so', async () => {
    const { server } = await serve();
    const second = serve({ port: server.port });
    await expect(second).rejects.toBeInstanceOf(ConfigError);
    await expect(second).rejects.toMatchObject({
      problems: [{ where: 'HEALTH_PORT', what: `port ${server.port} on 127.0.0.1 is taken by another process` }],
    });
  });

  test("an address that is not this machine's is a ConfigError", async () => {
    await expect(serve({ host: '192.0.2.1' })).rejects.toMatchObject({ problems: [{ where: 'HEALTH_HOST' }] });
  });

  test('without a port there is no server; stop may come twice, and before start', async () => {
    const { server } = await serve({ port: undefined });
    expect(server.port).toBeUndefined();
    const early = new HealthServer({
      host: '127.0.0.1',
      port: 0,
      phase: () => 'running',
      checks: {},
      logger: createSilentLogger(),
    });
    await early.stop();
    await early.stop();
    await early.start();
    expect(early.port).toBeUndefined();
  });

  test('stopping ends connections that are kept alive', async () => {
    const { server, get } = await serve();
    await get('/healthz');
    const begun = performance.now();
    await server.stop();
    expect(performance.now() - begun).toBeLessThan(500);
  });
});
