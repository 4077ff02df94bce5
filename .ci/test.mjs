// `npm test`: lint, format, types, unused code, then all kinds of tests. Stops at the first kind of check that fails, and
// prints what it ran. The servers that tests need are started by the tests.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const report = fileURLToPath(new URL('../.local/test-report.json', import.meta.url));
const bin = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));

/** The checks before the tests: each must pass. */
const checks = [
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'oxfmt', ['--check']],
  ['types', 'tsc', ['-p', 'packages/tsconfig.test.json']],
  ['unused code', 'knip', []],
];

function run(title, name, args) {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(bin(name), args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  return status === 0;
}

rmSync(report, { force: true });
const failedChecks = checks.filter(([title, name, args]) => !run(title, name, args)).map(([title]) => title);
const testsPassed = run('tests', 'vitest', [
  'run',
  '--config',
  '.ci/vitest.config.ts',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
]);

let figures;
try {
  figures = JSON.parse(readFileSync(report, 'utf8'));
} catch {
  console.error('the test runner left no report');
  process.exit(1);
}
const passed = figures.numPassedTests + checks.length - failedChecks.length;
const failed = Math.max(figures.numFailedTests + failedChecks.length, testsPassed ? 0 : 1);
if (failedChecks.length > 0) console.log(`\nchecks that failed: ${failedChecks.join(', ')}`);
const skipped = figures.numPendingTests > 0 ? `, ${figures.numPendingTests} skipped` : '';
console.log(`\n${passed} passed, ${failed} failed${skipped}`);
process.exit(failed === 0 && passed > checks.length ? 0 : 1);
