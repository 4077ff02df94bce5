import { describe, expect, it } from 'vitest';
import { addressOf, databaseUrlProblems, parseDatabaseUrl } from '../../../src/db/database-url.js';

describe('a database URL', () => {
  it('is read with its escapes, port and parameters', () => {
    expect(parseDatabaseUrl('mysql://us%40er:p%2Fw%3A@db.example:3307/crawl?tls=verify')).toEqual({
      host: 'db.example',
      port: 3307,
      socketPath: undefined,
      user: 'us@er',
      password: 'p/w:',
      database: 'crawl',
      tls: 'verify',
    });
    expect(parseDatabaseUrl('mariadb://[::1]/crawl')).toMatchObject({ host: '::1', port: 3306, user: '', tls: 'off' });
  });

  it('has an address without user and password', () => {
    expect(addressOf('mysql://user:secret@db.example/crawl')).toBe('db.example:3306/crawl');
    expect(addressOf('mysql://user:secret@localhost/crawl?socket=/run/mysqld.sock')).toBe('/run/mysqld.sock/crawl');
  });

  it.each([
    ['not a url', ['it is not a URL']],
    ['postgres://db.example/crawl', ['it starts with postgres:']],
    ['mysql://db.example', ['it names no database']],
    ['mysql://db.example/a/b', ['it names no database']],
    ['mysql://db.example/crawl?tls=maybe&pool=5', ['it has the unknown parameter pool', 'it has tls=maybe']],
    ['http://user:secret@db.example/', ['it starts with http:', 'it names no database']],
    ['mysql://user:%zz@db.example/crawl', ['it has a broken % escape']],
  ])('%s is wrong', (text, what) => {
    const problems = databaseUrlProblems(text, 'DATABASE_URL in .env:3');
    expect(problems.map((problem) => problem.what)).toEqual(what);
    expect(new Set(problems.map((problem) => problem.where))).toEqual(new Set(['DATABASE_URL in .env:3']));
    expect(JSON.stringify(problems)).not.toContain('secret');
  });
});
