import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findHome, resolveUserPath } from '../../../src/config/home.js';
import { ConfigError } from '../../../src/errors/index.js';
import { folderWith } from './folder.js';

describe('findHome', () => {
  test('is the nearest folder upwards with pnpm-workspace.yaml or sites/', () => {
    const workspace = folderWith({ 'pnpm-workspace.yaml': '', 'packages/consumer/package.json': '{}' });
    expect(findHome(join(workspace, 'packages/consumer'), {})).toBe(workspace);
    const plain = folderWith({ 'sites/shop.yaml': '', 'deep/er/x': '' });
    expect(findHome(join(plain, 'deep/er'), {})).toBe(plain);
  });

  test('is where the program is when it runs elsewhere', () => {
    const home = folderWith({ 'pnpm-workspace.yaml': '', 'packages/console/dist/main.js': '' });
    expect(findHome(folderWith(), {}, join(home, 'packages/console/dist'))).toBe(home);
  });

  test('is the folder itself when nothing is found', () => {
    const folder = folderWith();
    expect(findHome(folder, {}, '/')).toBe(folder);
  });

  test('CRAWL_HOME wins, and must be a folder', () => {
    const folder = folderWith({ file: '' });
    expect(findHome('/', { CRAWL_HOME: folder })).toBe(folder);
    expect(() => findHome('/', { CRAWL_HOME: join(folder, 'file') })).toThrow(ConfigError);
  });
});

describe('resolveUserPath', () => {
  test('is relative to where the user stood when pnpm or npm ran a script', () => {
    const pnpm = { INIT_CWD: '/home/me', PNPM_SCRIPT_SRC_DIR: '/repo/packages/producer' };
    const npm = { INIT_CWD: '/home/me', npm_package_json: '/repo/packages/producer/package.json' };
    expect(resolveUserPath('urls.txt', '/repo/packages/producer', pnpm)).toBe('/home/me/urls.txt');
    expect(resolveUserPath('urls.txt', '/repo/packages/producer', npm)).toBe('/home/me/urls.txt');
  });

  test('is relative to the working folder else, also where INIT_CWD was inherited', () => {
    const inherited = { INIT_CWD: '/home/me', PNPM_SCRIPT_SRC_DIR: '/repo' };
    expect(resolveUserPath('urls.txt', '/tmp/x', inherited)).toBe('/tmp/x/urls.txt');
    expect(resolveUserPath('urls.txt', '/tmp/x', {})).toBe('/tmp/x/urls.txt');
    expect(resolveUserPath('/abs/urls.txt', '/tmp/x', inherited)).toBe('/abs/urls.txt');
  });
});
