import type { Survey } from '../document/survey.js';
import { readJsonLd } from './json-ld.js';
import { readMicrodata } from './microdata.js';
import { nodesOf, type StructuredNode } from './node.js';

/** NewsArticle, BlogPosting, DiscussionForumPosting and the like; schema.org has no end of kinds. */
const ARTICLE_TYPE = /(?:article|posting|report)$/i;

/** The article that a page is about, by its JSON-LD, else its microdata: the first that is not part of a list. */
export function readArticle(survey: Survey): StructuredNode | null {
  return findArticle(readJsonLd(survey.jsonLd)) ?? findArticle(readMicrodata(survey.items));
}

function findArticle(roots: readonly StructuredNode[]): StructuredNode | null {
  const seen = new Set<StructuredNode>();
  for (const waiting = [...roots]; ;) {
    const node = waiting.shift();
    if (node === undefined) return null;
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.types.some((type) => ARTICLE_TYPE.test(type))) return node;
    waiting.push(...nodesOf(node, '@graph'), ...nodesOf(node, 'mainEntity'));
  }
}
