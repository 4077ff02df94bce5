// `node .ci/fault-table.mjs [--form short|long] [--write]`: the figures of fault tests as a table; `--write` puts it into docs/reliability.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const args = process.argv.slice(2);
const form = args.includes('--form') ? args[args.indexOf('--form') + 1] : undefined;

const runs = readFileSync(file('.local/fault-figures.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .filter((run) => form === undefined || run.form === form);

const sum = (list, key) => list.reduce((total, run) => total + run[key], 0);
const seconds = (ms) => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) / 2)];

const faults = [...new Set(runs.map(({ fault }) => fault))].sort();
const rows = faults.map((fault) => {
  const of = runs.filter((run) => run.fault === fault);
  const times = of.flatMap(({ recoveryMs }) => recoveryMs);
  const recovery = times.length === 0 ? '–' : `${seconds(median(times))} / ${seconds(Math.max(...times))}`;
  return [
    fault,
    of.length,
    sum(of, 'queued'),
    sum(of, 'strikes'),
    sum(of, 'lost'),
    sum(of, 'duplicates'),
    sum(of, 'refused') || '–',
    recovery,
  ];
});
const head = [
  'fault',
  'rounds',
  'tasks queued',
  'strikes',
  'lost',
  'duplicates',
  'late results refused',
  'recovery, median / maximum',
];
const line = (cells) => `| ${cells.join(' | ')} |`;
const table = [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');

if (args.includes('--write')) {
  const page = file('docs/reliability.md');
  const text = readFileSync(page, 'utf8');
  const marked = /(<!-- figures -->)[\s\S]*?(<!-- end of figures -->)/;
  if (!marked.test(text)) throw new Error('docs/reliability.md has no place for the table');
  writeFileSync(
    page,
    text.replace(marked, (_, begin, end) => `${begin}\n\n${table}\n\n${end}`),
  );
} else console.log(table);
