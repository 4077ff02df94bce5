import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const packageFolder = fileURLToPath(new URL('../../..', import.meta.url));

function run(settings: string): { stdout: string; stderr: string } {
  const script = `
    import { createLogger } from '@dist-crawl/core/logging';
    const logger = createLogger({ name: 'x', level: 'info', ${settings} });
    for (let line = 1; line <= 3000; line++) logger.info({ pad: 'x'.repeat(200) }, 'line ' + line);
    process.exit(0);
  `;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: packageFolder, encoding: 'utf8' });
}

test.each(['pretty: false', 'pretty: true'])(
  'no line is lost when the process exits right after it (%s)',
  (settings) => {
    const { stdout, stderr } = run(settings);
    expect(stdout).toContain('line 3000');
    expect(stderr).toBe('');
  },
);

test('one-shot commands log to stderr', () => {
  const { stdout, stderr } = run("destination: 'stderr'");
  expect(stdout).toBe('');
  expect(stderr).toContain('line 3000');
});

test('a pipe gets JSON', () => {
  expect(JSON.parse(run('').stdout.split('\n')[0] ?? '')).toMatchObject({ name: 'x', level: 'info', msg: 'line 1' });
});
