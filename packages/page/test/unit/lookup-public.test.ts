import type { LookupAddress, LookupOptions } from 'node:dns';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { lookupPublic } from '../../src/fetch/addresses.js';

let answer: LookupAddress[] = [];
vi.mock('node:dns', () => ({
  lookup: (_: string, options: LookupOptions, done: (error: null, found: LookupAddress[]) => void) => {
    expect(options.all).toBe(true);
    done(null, answer);
  },
}));

const PUBLIC = { address: '93.184.215.14', family: 4 };
const PRIVATE = { address: '10.0.0.1', family: 4 };
const LOOPBACK = { address: '::1', family: 6 };

const look = (options: LookupOptions = {}) =>
  new Promise((resolve, reject) => {
    lookupPublic('shop.example', options, (error, address) => (error ? reject(error) : resolve(address)));
  });

describe('the look-up of a connection', () => {
  beforeEach(() => {
    answer = [];
  });

  it('hands out the public ones of the addresses that a name has', async () => {
    answer = [PRIVATE, PUBLIC, LOOPBACK];
    expect(await look()).toBe(PUBLIC.address);
    expect(await look({ all: true })).toEqual([PUBLIC]);
  });

  it('refuses a name that has changed its address since it was last looked up', async () => {
    answer = [PUBLIC];
    expect(await look({ all: true })).toEqual([PUBLIC]);
    answer = [PRIVATE, LOOPBACK];
    await expect(look({ all: true })).rejects.toMatchObject({
      kind: 'private-address',
      message: expect.stringContaining('shop.example (10.0.0.1, ::1)'),
    });
  });
});
