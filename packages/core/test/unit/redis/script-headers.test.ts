import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as scripts from '../../../src/frontier/scripts.js';
import type { Script } from '../../../src/redis/index.js';

const folder = new URL('../../../lua/', import.meta.url);
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The words after `-- KEYS:` or `-- ARGV:`, without what follows three spaces or a dash. */
function header(text: string, label: 'KEYS' | 'ARGV'): string[] {
  const match = new RegExp(`^-- ${label}: (.*(?:\\n--  {5}[a-z_ ]+$)*)`, 'm').exec(text);
  return (
    (match?.[1] ?? '')
      .replaceAll('\n--', ' ')
      .split('   ')[0]
      ?.replace(/[().]+/g, ' ')
      .trim()
      .split(/\s+/) ?? []
  );
}

const bindings: Script<string, unknown>[] = Object.values(scripts);

describe('script bindings', () => {
  it.each(bindings.map((script) => [script.name, script] as const))(
    '%s is bound as its header says',
    (name, script) => {
      const text = readFileSync(new URL(`${name}.lua`, folder), 'utf8');
      expect(header(text, 'KEYS')).toEqual(script.keys.map(snake));
      const words = ['clock', ...(script.shared.includes('done') ? ['done'] : []), ...script.args];
      expect(header(text, 'ARGV')).toEqual([...words, ...(script.rest ?? [])]);
      expect(text).toMatch(/^-- REPLY: /m);
    },
  );

  it('every file in lua/ is bound, and by its own name', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.lua'));
    const locks = ['lock-acquire.lua', 'lock-renew.lua', 'lock-release.lua'];
    expect(files.filter((file) => !locks.includes(file)).sort()).toEqual(
      bindings.map(({ name }) => `${name}.lua`).sort(),
    );
  });
});
