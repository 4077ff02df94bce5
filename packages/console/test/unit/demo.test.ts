import type { Census } from '@dist-crawl/core/frontier';
import { describe, expect, test } from 'vitest';
import { createProgressMeter, showProgressBlock, showProgressLine } from '../../src/demo/progress.js';
import { demoNames } from '../../src/demo/folders.js';
import { type DemoResult, shortcomings, showSummary } from '../../src/demo/summary.js';

const census = (now: number, counts: Partial<Census>): Census => ({
  now,
  waiting: 0,
  inFlight: 0,
  failed: 0,
  pending: (counts.waiting ?? 0) + (counts.inFlight ?? 0) + (counts.failed ?? 0),
  done: 0,
  dead: 0,
  rounds: 0,
  pace: { byHand: {}, crawlDelayMs: null },
  workers: [],
  pause: { kind: 'none' },
  counters: {},
  bloom: [],
  ...counts,
});

describe('progress', () => {
  test('rate and time left are measured over the last seconds, not since the start', () => {
    const measure = createProgressMeter(200);
    measure(census(0, { waiting: 200, rounds: 1 }));
    for (let second = 1; second <= 10; second++) measure(census(second * 1000, { waiting: 200 }));
    for (let second = 11; second <= 20; second++) {
      measure(census(second * 1000, { waiting: 200 - (second - 10) * 10, done: (second - 10) * 10 }));
    }
    const progress = measure(census(21_000, { waiting: 90, done: 109, dead: 1 }));
    expect(progress.pagesPerSecond).toBeCloseTo(10, 0);
    expect(progress.leftMs).toBeCloseTo(9000, -3);
    expect(progress.finished).toBe(false);
    expect(showProgressLine(progress)).toBe(
      '  21 s  queued 90, in flight 0, done 109, failed 0, dead 1, 10 pages/s, 9 s left',
    );
    expect(showProgressBlock(progress, 80)).toEqual([
      `${'█'.repeat(17)}${'░'.repeat(13)}  55 %  10 pages/s, 9 s left`,
      'queued 90   in flight 0   done 109   failed 0   dead 1',
    ]);
  });

  test('while nothing has moved yet the time left is unknown, and no figure is infinite', () => {
    const measure = createProgressMeter(200);
    expect(measure(census(0, { waiting: 200 }))).toMatchObject({ pagesPerSecond: 0, leftMs: null });
  });
});

const result = (changes: Partial<DemoResult['summary']> = {}, counts: Partial<Census> = {}): DemoResult => ({
  pages: 200,
  elapsedMs: 14_000,
  census: census(0, { done: 200, counters: { requeued: 12 }, ...counts }),
  summary: {
    pages: 200,
    goodsRows: 4800,
    distinctGoodsUrls: 4800,
    deadUrls: 0,
    rejectedRows: 0,
    nodes: [
      { node: 'node-1', pages: 102, rows: 2448 },
      { node: 'node-2', pages: 98, rows: 2352 },
    ],
    samples: [
      { goodsUrl: 'http://127.0.0.1:8099/goods/1', goodsName: '松果 智能台灯', price: '14.0000', currency: 'CNY' },
    ],
    ...changes,
  },
});

test('a demo that came out well says what it did', () => {
  expect(shortcomings(result())).toEqual([]);
  expect(showSummary(result(), 80).join('\n')).toMatchSnapshot();
});

test('a demo that did not says what is wrong', () => {
  expect(shortcomings(result({ goodsRows: 4799, distinctGoodsUrls: 4797, rejectedRows: 1 }, { done: 199 }))).toEqual([
    '199 of 200 pages came to an end',
    '4,799 goods rows, where 4,776 should be',
    '2 goods rows twice',
    'MySQL refused 1 row',
  ]);
});

test('on servers that the user gave, keys and rows get names of their own', () => {
  const now = new Date('2026-01-15T12:30:05Z');
  expect(demoNames(true, now)).toEqual({ site: 'demo-shop', namespace: 'dist:crawl' });
  expect(demoNames(false, now)).toEqual({
    site: 'demo-shop-20260115123005',
    namespace: 'dist:crawl:demo-20260115123005',
  });
});
