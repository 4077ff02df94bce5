import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Fallback } from '../../../src/config/setting.js';
import { allSettings } from '../../../src/config/settings.js';

const text = readFileSync(new URL('../../../../../.env.example', import.meta.url), 'utf8');

/** Every `# NAME=default` with the line of explanation above it. */
const documented = [...text.matchAll(/^# (.*)\n#? ?([A-Z_]+)=(.*)$/gmu)].map(([, doc, name, value]) => ({
  name,
  doc,
  value,
}));

function asWritten(fallback: Fallback): { value: string; note: string } {
  if (fallback.kind === 'text') return { value: fallback.text, note: '' };
  return { value: '', note: ` (default: ${fallback.shown})` };
}

test('.env.example lists every setting, in order, with its explanation and default, and nothing else', () => {
  const settings = allSettings().map(({ setting: { name, doc, fallback } }) => {
    const { value, note } = asWritten(fallback);
    // What the two servers fall back to is told once, in the heading above them.
    return { name, doc: name.endsWith('_URL') ? doc : `${doc}${note}`, value };
  });
  expect(documented).toEqual(settings);
  expect([...text.matchAll(/^#? ?[A-Za-z_]+=/gmu)]).toHaveLength(settings.length);
});

test('every default is a right value', () => {
  for (const { setting } of allSettings()) {
    if (setting.fallback.kind === 'none') continue;
    const shown = setting.fallback.kind === 'text' ? setting.fallback.text : setting.fallback.compute();
    expect(setting.kind.schema.safeParse(shown).success, setting.name).toBe(true);
  }
});

test('no two settings share a name', () => {
  const names = allSettings().map(({ setting }) => setting.name);
  expect(new Set(names).size).toBe(names.length);
});
