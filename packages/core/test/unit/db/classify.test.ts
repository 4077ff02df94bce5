import { DrizzleQueryError } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { causeOf, classify, errorNumberOf, isTransient, TransientDatabaseError } from '../../../src/db/classify.js';

function serverError(errno: number, sqlState = 'HY000'): Error {
  return Object.assign(new Error(`error ${errno}`), { errno, sqlState, code: 'ER_X' });
}

describe('classify', () => {
  it.each([
    ['conflict', [1213, 1205, 1020]],
    ['connection', [1053, 1927, 2006, 2013, 4031]],
    ['busy', [1040, 1203, 1226]],
    ['storage', [1021, 1114, 1030]],
    ['read-only', [1290, 1836]],
    ['data', [1406, 1366, 1264, 3140, 1292, 4025, 3819]],
    ['access', [1044, 1045, 1049]],
  ] as const)('knows %s', (fault, errnos) => {
    const state = fault === 'data' ? '22001' : 'HY000';
    expect(errnos.map((errno) => classify(serverError(errno, state)))).toEqual(errnos.map(() => fault));
  });

  it('knows data errors by their SQLSTATE, and others that have none', () => {
    expect(classify(serverError(9999, '22003'))).toBe('data');
    expect(classify(serverError(9999, '23000'))).toBe('data');
    expect(classify(serverError(1366, 'HY000'))).toBe('data');
    expect(classify(serverError(9999, '42000'))).toBe('fatal');
  });

  it('knows network errors, also when several addresses were tried', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', errno: -111 });
    expect(classify(refused)).toBe('connection');
    expect(classify(new AggregateError([refused, refused]))).toBe('connection');
    expect(errorNumberOf(refused)).toBe(0);
  });

  it('takes a mistake of the program for fatal', () => {
    for (const error of [new TypeError('x is undefined'), 'text', undefined, null]) {
      expect(classify(error)).toBe('fatal');
      expect(isTransient(error)).toBe(false);
    }
  });

  it("sees through Drizzle's wrapper, whose message repeats all values", () => {
    const cause = serverError(1213);
    const wrapped = new DrizzleQueryError('insert …', ['secret'], cause);
    expect(causeOf(wrapped)).toBe(cause);
    expect(classify(wrapped)).toBe('conflict');
    const typed = new TransientDatabaseError('conflict', '127.0.0.1:3306/crawl', causeOf(wrapped));
    expect(typed.message).toBe('MySQL at 127.0.0.1:3306/crawl (conflict): error 1213');
    expect(isTransient(typed)).toBe(true);
  });
});
