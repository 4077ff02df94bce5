import { createHash } from 'node:crypto';
import type { CrawledPage, GoodsRow } from '../../../src/db/index.js';

export const T0 = new Date('2026-03-01T10:00:00.123Z');

export function later(seconds: number): Date {
  return new Date(T0.getTime() + seconds * 1000);
}

export function crawledPage(number: number, changes: Partial<CrawledPage> = {}): CrawledPage {
  const url = `https://shop.example/list?page=${number}`;
  return {
    site: 'shop',
    url,
    finalUrl: url,
    kind: 'list',
    outcome: 'ok',
    status: 200,
    bytes: 50_000,
    contentHash: createHash('sha256').update(url).digest(),
    crawlTime: T0,
    node: 'node-a',
    goods: [],
    ...changes,
  };
}

export function goodsRow(name: string, changes: Partial<GoodsRow> = {}): GoodsRow {
  return {
    goods_url: `https://shop.example/goods/${name}`,
    goods_name: `Goods ${name}`,
    price: '12.50',
    currency: 'CNY',
    attributes: {},
    ...changes,
  };
}
