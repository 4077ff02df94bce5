// `npm run test:fault [-- --long] [--seed N] [--rounds N] [--pages N] [vitest arguments]`: the fault tests alone. The short form
// tries each fault once; `--long` tries each many times, on 2,000 pages. The seed is printed, and gives the same moments again.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/.bin/vitest', import.meta.url));

const numbers = { '--seed': 'FAULT_SEED', '--rounds': 'FAULT_ROUNDS', '--pages': 'FAULT_PAGES' };
const env = { ...process.env };
const passed = [];
const args = process.argv.slice(2);
const given = args.filter((arg, place) => arg !== '--seed' && args[place - 1] !== '--seed').join(' ');
while (args.length > 0) {
  const arg = args.shift();
  const name = numbers[arg];
  if (arg === '--long') env.FAULT_LONG = '1';
  else if (name === undefined) passed.push(arg);
  else {
    const value = args.shift();
    if (!/^\d{1,9}$/.test(value ?? '')) {
      console.error(`${arg} wants a whole number, not ${value ?? 'nothing'}`);
      process.exit(78);
    }
    env[name] = value;
  }
}
env.FAULT_SEED ??= String(Math.floor(Math.random() * 1_000_000));
console.log(`seed ${env.FAULT_SEED}; the same again: npm run test:fault -- --seed ${env.FAULT_SEED} ${given}`);
console.log('figures are added to .local/fault-figures.jsonl; `node .ci/fault-table.mjs` sums them up');
const { status } = spawnSync(vitest, ['run', '--config', '.ci/vitest.config.ts', '--project', 'fault', ...passed], {
  cwd: root,
  stdio: 'inherit',
  env,
  shell: process.platform === 'win32',
});
process.exit(status ?? 1);
