import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSiteFile } from '@dist-crawl/core/sites';
import { compileRules } from '../../../src/extract/compile-site.js';
import { extractPage, type ExtractedPage, type PageInput } from '../../../src/extract/extract-page.js';

export const PAGE_URL = 'https://shop.example/list/tea?page=1';

/** A site from the text of its file, without name and base. */
export function compiled(yaml: string): ReturnType<typeof compileRules> {
  const dir = mkdtempSync(join(tmpdir(), 'site-'));
  const file = join(dir, 'site.yaml');
  try {
    writeFileSync(file, `name: shop\nbase: https://shop.example\n${yaml}`);
    return compileRules(loadSiteFile(file));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** What is read of a page by such a site. */
export function extract(yaml: string, html: string, input: Partial<PageInput> = {}): ExtractedPage {
  const page = extractPage(compiled(yaml), { html, url: PAGE_URL, finalUrl: PAGE_URL, ...input });
  if (page.outcome !== 'extracted') throw new Error(page.message);
  return page;
}
