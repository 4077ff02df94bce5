import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startStaticServer, type StaticServer } from '../../src/shop/static-server.js';

let folder = '';
let server: StaticServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dist-crawl-static-'));
  await mkdir(join(folder, 'site', 'sub dir'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'site', 'index.html'), '<title>home</title>');
  await writeFile(join(folder, 'site', 'sub dir', 'index.html'), '<title>sub</title>');
  await writeFile(join(folder, 'site', 'style.css'), 'a{}');
  await symlink('../secret.txt', join(folder, 'site', 'leak.txt'));
  await symlink('index.html', join(folder, 'site', 'same.html'));
  server = await startStaticServer({ directory: join(folder, 'site') });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** As fetch, but without cleaning the path first. */
async function rawStatus(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}

test('serves files with their types, folders by their index page, links inside the folder', async () => {
  const home = await fetch(`${server.url}/?x=1#y`);
  expect(home.headers.get('content-type')).toBe('text/html');
  expect(await home.text()).toBe('<title>home</title>');
  expect((await fetch(`${server.url}/style.css`)).headers.get('content-type')).toBe('text/css');
  const sub = await fetch(`${server.url}/sub%20dir`);
  expect([sub.url, await sub.text()]).toEqual([`${server.url}/sub%20dir/`, '<title>sub</title>']);
  expect((await fetch(`${server.url}/same.html`)).status).toBe(200);
});

test('serves nothing outside of its folder', async () => {
  for (const path of [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/sub%20dir/..%2f..%2fsecret.txt',
    '/leak.txt',
    '/%00',
    '/%zz',
  ]) {
    expect(await rawStatus(path), path).toBe(404);
  }
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(405);
});
