// The README's table of settings, made from the schemas. `pnpm settings-table` writes it; a test compares it.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allSettings } from '../packages/core/dist/config/index.js';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const place = /(<!-- settings: .*? -->\n)[\s\S]*?(<!-- \/settings -->)/;

/** The README as it should be, and as it is. */
export function settingsTable() {
  const rows = allSettings().map(({ setting: { name, doc, fallback }, readBy }) => {
    const shown = fallback.kind === 'text' ? `\`${fallback.text}\`` : fallback.shown;
    return `| \`${name}\` | ${readBy} | ${shown.replaceAll('|', '\\|')} | ${doc.replaceAll('|', '\\|')} |`;
  });
  const table = ['| name | read by | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
  const is = readFileSync(readme, 'utf8');
  return { is, shouldBe: is.replace(place, (_, start, end) => `${start}\n${table}\n\n${end}`) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(readme, settingsTable().shouldBe);
