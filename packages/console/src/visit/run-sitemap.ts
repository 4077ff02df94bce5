import { EXIT } from '@dist-crawl/core/errors';
import { inScope } from '@dist-crawl/core/sites';
import { createSitemapReader, type SitemapReport } from '@dist-crawl/page';
import type { CommandContext } from '../setup/command-context.js';
import type { OptionReader } from '../setup/option-values.js';
import { plural } from '../terminal/figures.js';
import { chooseOne, loadPagesSetup } from './pages-setup.js';

/** `crawl sitemap`: the pages of a sitemap, and of those that it names. */
export async function runSitemap(
  { terminal, signal, exitWith }: CommandContext,
  given: string,
  options: OptionReader,
): Promise<void> {
  const setup = loadPagesSetup(options);
  const chosen = chooseOne(setup, given);
  const { site } = chosen.loaded;
  const json = options.is('json');
  const reader = createSitemapReader({ site, contact: setup.config.crawlerContact, env: setup.env });
  const urls = new Set<string>();
  const reports: SitemapReport[] = [];
  try {
    for await (const report of reader.read([chosen.url], { signal })) {
      reports.push(report);
      if (report.outcome !== 'read') continue;
      for (const page of report.pages) {
        if (!json && !urls.has(page)) terminal.print(page);
        urls.add(page);
      }
    }
  } finally {
    await reader.close();
  }
  const failed = reports.filter((report) => report.outcome !== 'read');
  if (failed.length > 0) exitWith(EXIT.failure);
  if (json) {
    terminal.print(JSON.stringify({ url: given, urls: [...urls], sitemaps: reports.map(briefly) }));
    return;
  }
  for (const report of failed) terminal.note(`${report.url}: ${briefly(report).message ?? report.outcome}`);
  const within = [...urls].filter((url) => inScope(site, url)).length;
  const scope = chosen.chosen === 'none' ? '' : `, ${within} of them in the scope of ${site.name}`;
  terminal.note(`${plural(urls.size, 'page')} in ${plural(reports.length, 'file')}${scope}`);
}

/** Without the pages, which stand in one list. */
function briefly(report: SitemapReport): { url: string; outcome: string; pages: number; message: string | null } {
  const { url, outcome } = report;
  return report.outcome === 'read'
    ? { url, outcome, pages: report.pages.length, message: null }
    : { url, outcome, pages: 0, message: report.message };
}
