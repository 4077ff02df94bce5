import { inScope, matchesPattern } from '@dist-crawl/core/sites';
import type { CanonicalUrl } from '@dist-crawl/core/url';
import type { CompiledFollow, CompiledSite } from './compile-site.js';
import type { Resolve } from './document/links.js';
import type { Survey } from './document/survey.js';

/**
 * The links of a page that are to be crawled too: found by a follow rule, matched by its patterns, in the site's
 * scope. `depth`: how many links away the page is from one that a producer queued; rules may end at some. The limits of
 * the site as a whole (`maxDepth`, `maxPages`, traps) are the frontier's, which counts what they refuse.
 */
export function followOf(
  rules: readonly CompiledFollow[],
  survey: Survey,
  links: readonly CanonicalUrl[],
  resolve: Resolve,
  { site }: CompiledSite,
  depth: number,
): CanonicalUrl[] {
  const followed = new Set<CanonicalUrl>();
  for (const { rule, selector } of rules) {
    if (rule.depth !== undefined && depth >= rule.depth) continue;
    const found = selector === null ? links : selected(selector.all(survey.document), rule.attr, resolve);
    for (const url of found) {
      if (rule.match !== undefined && !rule.match.some((pattern) => matchesPattern(pattern, url))) continue;
      if (rule.exclude?.some((pattern) => matchesPattern(pattern, url)) === true) continue;
      if (!followed.has(url) && inScope(site, url)) followed.add(url);
    }
  }
  return [...followed];
}

function selected(
  elements: readonly { attribs: Record<string, string> }[],
  attr: string,
  resolve: Resolve,
): CanonicalUrl[] {
  return elements.map(({ attribs }) => resolve(attribs[attr] ?? '')).filter((url) => url !== null);
}
