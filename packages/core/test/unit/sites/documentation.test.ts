import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSiteFile, siteSchema } from '../../../src/sites/index.js';

const text = readFileSync(new URL('../../../../../docs/site-files.md', import.meta.url), 'utf8');
const examples = [...text.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, yaml = '']) => yaml);
const dir = mkdtempSync(join(tmpdir(), 'site-docs-'));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe('the page about site files', () => {
  it('has examples that can be loaded', () => {
    expect(examples.length).toBeGreaterThan(1);
    for (const [index, yaml] of examples.entries()) {
      const file = join(dir, `${index}.yaml`);
      writeFileSync(file, yaml);
      expect(loadSiteFile(file).site.base).toMatch(/^https:/);
    }
  });

  it('names every key', () => {
    for (const key of Object.keys(siteSchema.in.shape)) expect(text).toMatch(new RegExp(`\`${key}\`|^${key}:`, 'm'));
  });
});
