import { createLogger } from '@dist-crawl/core/logging';
import { expect, it } from 'vitest';
import { RedisMemory } from '../../src/primary/redis-memory.js';

const memory = (): RedisMemory => new RedisMemory(createLogger({ name: 'test', level: 'silent' }));
const census = (counters: Record<string, number>, waiting = 0) => ({ counters, waiting });

it('a site that never had anything is whole', () => {
  expect(memory().look('shop', census({}))).toBe('whole');
});

it('a site that lost everything is emptied until somebody has queued again', () => {
  const redis = memory();
  expect(redis.look('shop', census({ queued: 10, done: 4 }, 6))).toBe('whole');
  expect(redis.look('shop', census({}))).toBe('emptied');
  expect(redis.look('shop', census({}))).toBe('emptied');
  expect(redis.look('other', census({}))).toBe('whole');
  expect(redis.look('shop', census({ queued: 6 }, 6))).toBe('whole');
});

it('a site that lost its last steps alone is whole: the crawl goes on from there', () => {
  const redis = memory();
  redis.look('shop', census({ queued: 10, done: 4 }, 6));
  expect(redis.look('shop', census({ queued: 10, done: 3 }, 6))).toBe('whole');
});
