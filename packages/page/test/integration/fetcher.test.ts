import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { canonicalize, type CanonicalUrl } from '@dist-crawl/core/url';
import type { Dispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnections } from '../../src/fetch/connections.js';
import { FetchFailure } from '../../src/fetch/failure.js';
import { createFetcher, type FetchRequest } from '../../src/fetch/fetcher.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const answers = new Map<string, Answer>();
const closing: (() => Promise<unknown>)[] = [];
let origin = '';
let connections: Dispatcher;
const REQUEST: FetchRequest = { timeoutMs: 3000, maxBytes: 100_000, maxRedirects: 3, pagesOnly: true, beyond: 'fail' };

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  closing.push(() => new Promise((done) => server.close(done)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  origin = await listen(server);
  closing.push(async () => server.closeAllConnections());
  connections = createConnections({ allowPrivateAddresses: true, perOrigin: 8 });
});

afterAll(async () => {
  await connections.destroy();
  for (const close of closing.toReversed()) await close();
});

const at = (path: string): CanonicalUrl => {
  const url = canonicalize(path, { base: origin });
  if (url === null) throw new Error(path);
  return url;
};

const inOrigin = async (url: CanonicalUrl) => {
  if (!url.startsWith(origin)) throw new FetchFailure('out-of-scope', url);
};

const html: Record<string, string> = { 'content-type': 'text/html' };
const page = (path: string, body: string | Buffer, headers = html) =>
  answers.set(path, (_, response) => response.writeHead(200, headers).end(body));

function fetch(path: string, changes: Partial<FetchRequest> = {}, options: { headers?: Record<string, string> } = {}) {
  const fetcher = createFetcher({
    connections,
    allowPrivateAddresses: true,
    userAgent: 'test/1 (+me)',
    headers: options.headers ?? {},
    cookies: { session: '1', theme: 'x' },
  });
  return fetcher.fetch(at(path), { ...REQUEST, ...changes });
}

describe('a page', () => {
  it('is fetched with its type, under the name of the crawler, with headers and cookies of the site', async () => {
    let seen: IncomingMessage['headers'] = {};
    answers.set('/plain', (request, response) => {
      seen = request.headers;
      response.writeHead(200, { 'content-type': 'text/html; charset=gbk' }).end('hello');
    });
    const result = await fetch('/plain', {}, { headers: { 'Accept-Language': 'zh-CN' } });
    expect(result).toMatchObject({
      ok: true,
      status: 200,
      contentType: 'text/html; charset=gbk',
      redirects: [],
      sentBytes: 5,
    });
    expect(seen).toMatchObject({
      'user-agent': 'test/1 (+me)',
      'accept-language': 'zh-CN',
      cookie: 'session=1; theme=x',
    });
  });

  const text = '<p>茶</p>'.repeat(500);
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['gzip', Buffer.from(text)],
    ['identity', Buffer.from(text)],
  ])('packed as %s is unpacked', async (encoding, body) => {
    page('/packed', body, { ...html, 'content-encoding': encoding });
    const result = await fetch('/packed');
    expect(result.ok && result.body.toString()).toBe(text);
    expect(result.ok && result.sentBytes).toBe(body.length);
  });
});

describe('limits', () => {
  it('stop a body that says it is too large, and one that is', async () => {
    page('/large', Buffer.alloc(200_000, 'a'));
    answers.set('/endless', (_, response) => {
      response.writeHead(200, html);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(50_000, 'a')));
      };
      response.on('drain', more);
      more();
    });
    expect(await fetch('/large')).toMatchObject({ ok: false, kind: 'too-large' });
    expect(await fetch('/endless')).toMatchObject({ ok: false, kind: 'too-large' });
  });

  it('stop a compression bomb, and a large body that is merely packed', async () => {
    page('/bomb', gzipSync(Buffer.alloc(50_000_000)), { ...html, 'content-encoding': 'gzip' });
    page('/nested', gzipSync(gzipSync(Buffer.alloc(50_000_000))), { ...html, 'content-encoding': 'gzip, gzip' });
    const words = Array.from({ length: 40_000 }, (_, index) => `word${index}`).join(' ');
    page('/merely', gzipSync(words), { ...html, 'content-encoding': 'gzip' });
    expect(await fetch('/bomb')).toMatchObject({ ok: false, kind: 'bomb' });
    expect(await fetch('/nested')).toMatchObject({ ok: false, kind: 'bomb' });
    expect(await fetch('/merely')).toMatchObject({ ok: false, kind: 'too-large' });
  });

  it('take what came so far where that is asked for', async () => {
    page('/robots', gzipSync(Buffer.alloc(500_000, 'a')), { ...html, 'content-encoding': 'gzip' });
    const result = await fetch('/robots', { beyond: 'truncate', maxBytes: 1000 });
    expect(result.ok && result.body.length).toBe(1000);
  });

  it('stop a page that drips, however often a byte comes', async () => {
    answers.set('/drip', (_, response) => {
      response.writeHead(200, html);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const started = performance.now();
    expect(await fetch('/drip', { timeoutMs: 300 })).toMatchObject({ ok: false, kind: 'timeout' });
    expect(performance.now() - started).toBeLessThan(1500);
  });

  it('stop a server that never answers, and one with endless headers', async () => {
    answers.set('/silent', () => undefined);
    answers.set('/headers', (_, response) => {
      for (let index = 0; index < 40; index += 1) response.setHeader(`x-${index}`, 'a'.repeat(4000));
      response.end();
    });
    expect(await fetch('/silent', { timeoutMs: 200 })).toMatchObject({ ok: false, kind: 'timeout' });
    expect(await fetch('/headers')).toMatchObject({ ok: false, kind: 'headers-too-large' });
  });

  it('let the caller give a fetch up', async () => {
    answers.set('/silent', () => undefined);
    const controller = new AbortController();
    const result = fetch('/silent', { signal: controller.signal });
    controller.abort();
    expect(await result).toMatchObject({ ok: false, kind: 'aborted' });
    expect(await fetch('/silent', { signal: AbortSignal.abort() })).toMatchObject({ ok: false, kind: 'aborted' });
  });
});

describe('redirects', () => {
  const redirect = (path: string, location: string, status = 302) =>
    answers.set(path, (_, response) => response.writeHead(status, { location }).end('moved'));

  it('are followed, relative ones and of every status, and told', async () => {
    redirect('/r1', 'r2', 301);
    redirect('/r2', `${origin}/r3#part`, 308);
    redirect('/r3', '/end', 303);
    page('/end', 'here');
    expect(await fetch('/r1')).toMatchObject({
      ok: true,
      finalUrl: at('/end'),
      redirects: [at('/r1'), at('/r2'), at('/r3')],
    });
    expect(await fetch('/r1', { maxRedirects: 2 })).toMatchObject({ kind: 'too-many-redirects' });
  });

  it('in a loop, out of scope, or to what is no http URL have kinds of their own', async () => {
    redirect('/loop1', '/loop2');
    redirect('/loop2', '/loop1');
    redirect('/self', '/self');
    redirect('/mail', 'mailto:x@y.example');
    redirect('/away', 'http://other.example/');
    expect(await fetch('/loop1')).toMatchObject({ kind: 'redirect-loop', finalUrl: at('/loop1') });
    expect(await fetch('/self')).toMatchObject({ kind: 'redirect-loop' });
    expect(await fetch('/mail')).toMatchObject({ kind: 'bad-redirect' });
    expect(await fetch('/away', { admit: inOrigin })).toMatchObject({
      kind: 'out-of-scope',
      finalUrl: 'http://other.example/',
      redirects: [at('/away')],
    });
  });

  it('to another origin leave cookies and headers behind where no scope vouches for it', async () => {
    let seen: IncomingMessage['headers'] = {};
    const other = await listen(
      createServer((request, response) => {
        seen = request.headers;
        response.writeHead(200, { ...html, connection: 'close' }).end('other');
      }),
    );
    redirect('/other', `${other}/`);
    expect(await fetch('/other', {}, { headers: { authorization: 'secret' } })).toMatchObject({ ok: true });
    expect(seen.cookie).toBeUndefined();
    expect(seen.authorization).toBeUndefined();
    expect(await fetch('/other', { admit: async () => undefined })).toMatchObject({ ok: true });
    expect(seen.cookie).toBe('session=1; theme=x');
  });
});

describe('failures', () => {
  it('of the server are told by status, with the time it asks to wait', async () => {
    answers.set('/busy', (_, response) => response.writeHead(429, { 'retry-after': '7' }).end('busy'));
    expect(await fetch('/none')).toMatchObject({ ok: false, kind: 'http-404', status: 404 });
    expect(await fetch('/busy')).toMatchObject({ ok: false, kind: 'http-429', retryAfterMs: 7000 });
  });

  it('of content are told', async () => {
    page('/image', 'x', { 'content-type': 'image/png' });
    page('/untyped', '%PDF-1.4', {});
    page('/broken', Buffer.concat([gzipSync('x'.repeat(5000)).subarray(0, 12), Buffer.from('garbage')]), {
      ...html,
      'content-encoding': 'gzip',
    });
    page('/zstd', 'x', { ...html, 'content-encoding': 'zstd' });
    expect(await fetch('/image')).toMatchObject({ kind: 'not-html' });
    expect(await fetch('/untyped')).toMatchObject({ kind: 'not-html' });
    expect(await fetch('/broken')).toMatchObject({ kind: 'bad-encoding' });
    expect(await fetch('/zstd')).toMatchObject({ kind: 'bad-encoding' });
  });

  it('of the connection are told', async () => {
    answers.set('/cut', (_, response) => {
      response.writeHead(200, { ...html, 'content-length': '1000' });
      response.write('half');
      setTimeout(() => response.destroy(), 20);
    });
    const raw = await listen(createTcpServer((socket) => socket.resume().end('this is no HTTP\r\n\r\n')));
    const closed = createTcpServer();
    const nobody = await listen(closed);
    await new Promise((done) => closed.close(done));
    expect(await fetch('/cut')).toMatchObject({ kind: 'reset' });
    expect(await fetch(`${raw}/`)).toMatchObject({ kind: 'bad-response' });
    expect(await fetch(`${nobody}/`)).toMatchObject({ kind: 'refused' });
    expect(await fetch('http://no-such-host.invalid/')).toMatchObject({ kind: 'dns' });
    expect(await fetch(`${origin.replace('http:', 'https:')}/`)).toMatchObject({ kind: 'tls' });
  });

  it('by a refused address are told for names, literals and redirects', async () => {
    const guarded = createConnections({ allowPrivateAddresses: false, perOrigin: 2 });
    closing.push(() => guarded.destroy());
    const fetcher = createFetcher({
      connections: guarded,
      allowPrivateAddresses: false,
      userAgent: 'test',
      headers: {},
      cookies: {},
    });
    const port = new URL(origin).port;
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]', '169.254.169.254']) {
      const result = await fetcher.fetch(at(`http://${host}:${port}/plain`), REQUEST);
      expect([host, result]).toMatchObject([host, { ok: false, kind: 'private-address' }]);
    }
  });
});
