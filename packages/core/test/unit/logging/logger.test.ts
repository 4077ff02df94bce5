import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLogger, createSilentLogger, type LogSettings } from '../../../src/logging/logger.js';

function capture(settings: Partial<LogSettings> = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, logger: createLogger({ name: 'consumer', level: 'info', destination, ...settings }) };
}

describe('createLogger', () => {
  test('writes one JSON object a line, with name, level, time and the base fields', () => {
    const { lines, logger } = capture({ base: { node: 'n1' } });
    logger.info({ pages: 3 }, 'saved');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      name: 'consumer',
      level: 'info',
      node: 'n1',
      pages: 3,
      msg: 'saved',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/u) as string,
    });
  });

  test('keeps quiet below its level', () => {
    const { lines, logger } = capture({ level: 'warn' });
    logger.info('no');
    logger.warn('yes');
    expect(lines).toHaveLength(1);
  });

  test('redacts secret fields at any of the first three levels', () => {
    const { lines, logger } = capture();
    logger.info({
      password: 'geheim',
      headers: { authorization: 'geheim', 'set-cookie': 'geheim', cookie: 'geheim' },
      request: { headers: { 'proxy-authorization': 'geheim', Cookie: 'geheim' } },
    });
    expect(lines[0]).not.toContain('geheim');
  });

  test('redacts passwords in messages and in errors with their causes', () => {
    const { lines, logger } = capture();
    const cause = new Error('connect to mysql://u:geheim@db failed');
    logger.error({ err: new Error('redis://:geheim@h', { cause }) }, 'see redis://x:geheim@h');
    expect(lines[0]).not.toContain('geheim');
    expect(lines[0]).toContain('caused by');
  });

  test('every line stays JSON, whatever is logged', () => {
    const risky = fc.array(
      fc.constantFrom('redis://', ':', '@', '"', '\\', '\n', 'a', '?token=', '&', "'", '#', '/', 'é'),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(risky, (parts) => {
        const { lines, logger } = capture();
        logger.info({ field: parts.join('') }, parts.toReversed().join(''));
        expect(() => JSON.parse(lines[0] ?? '') as unknown).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  test('pretty lines are for people', () => {
    const { lines, logger } = capture({ pretty: true });
    logger.warn({ site: 'shop' }, 'paused');
    const text = lines.join('');
    expect(text).toMatch(/WARN.*paused/u);
    expect(text).toContain('site: "shop"');
    expect(text).not.toContain('{"level"');
  });
});

test('the silent logger is at level silent', () => {
  expect(createSilentLogger().isLevelEnabled('fatal')).toBe(false);
});
