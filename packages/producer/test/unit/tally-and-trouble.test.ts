import { describe, expect, test } from 'vitest';
import { createSilentLogger } from '@dist-crawl/core/logging';
import { Tally } from '../../src/tally.js';
import { persist } from '../../src/trouble.js';

const logger = createSilentLogger();

describe('persist', () => {
  test.each([
    "OOM command not allowed when used memory > 'maxmemory'. script: d9c4, on @user_script:57.",
    "ERR Error running script (call to f_d9c4): @user_script:57: -OOM command not allowed when used memory > 'maxmemory'.",
    'MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist on disk.',
  ])('what Redis refuses for now is tried again: %s', async (refusal) => {
    let left = 1;
    const attempt = async () => {
      if ((left -= 1) >= 0) throw new Error(refusal);
      return 'done';
    };
    expect(await persist(attempt, { signal: new AbortController().signal, logger })).toBe('done');
  });

  test('what no waiting mends is thrown', async () => {
    const attempt = () => Promise.reject(new Error('WRONGTYPE Operation against a key'));
    await expect(persist(attempt, { signal: new AbortController().signal, logger })).rejects.toThrow('WRONGTYPE');
  });

  test('a stop ends the wait for an answer that does not come, after a moment of grace', async () => {
    const stop = new AbortController();
    const waiting = persist(() => new Promise(() => undefined), { signal: stop.signal, logger, graceMs: 20 });
    stop.abort(new Error('stopping'));
    await expect(waiting).rejects.toThrow('stopping');
  });

  test('an answer within the grace still counts', async () => {
    const stop = new AbortController();
    const answer = new Promise((resolve) => setTimeout(() => resolve('queued'), 10));
    const waiting = persist(() => answer, { signal: stop.signal, logger, graceMs: 5000 });
    stop.abort(new Error('stopping'));
    expect(await waiting).toBe('queued');
  });
});

describe('Tally', () => {
  test('says what became of all candidates, and names the first refused ones', () => {
    const tally = new Tally();
    tally.add({ queued: 3, pending: 2, done: 1, dead: 1, refused: { 'max-pages': 6 } });
    tally.ended = { from: 37, inARow: 5 };
    tally.archived = 4;
    for (let line = 1; line <= 5; line++) tally.refuse('out-of-scope', { text: `http://b/${line}`, line });
    tally.refuse('not-http', { text: `ftp://\u001B[31m${'x'.repeat(200)}` });
    tally.reached = 'http://a/3';
    expect(tally.dealt).toBe(23);
    expect(tally.summary()).toMatchInlineSnapshot(
      `"3 queued, 2 already waiting, 1 already done, 1 dead, 4 archived, 6 beyond \`maxPages\`, 5 out of scope, 1 not http(s); the range ends before page 37 (5 beyond it in a row)"`,
    );
    expect(tally.refusals()).toMatchInlineSnapshot(`
      [
        "6 beyond \`maxPages\`, not queued",
        "5 out of scope, not queued: line 1: "http://b/1", line 2: "http://b/2", line 3: "http://b/3", and 2 more",
        "1 not http(s), not queued: "ftp://\\u001b[31mxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"",
      ]
    `);
  });
});
