import { CATEGORIES } from './catalogue.js';
import type { ShopMap } from './shop-map.js';

/** The limit of sitemaps.org for one file. */
const URLS_PER_SITEMAP = 50_000;
const CHANGED = '2026-01-15';

export function robotsText(origin: string): string {
  return `# Demo shop
User-agent: *
Disallow: /cart
Disallow: /search
Disallow: /help/
Allow: /

Sitemap: ${origin}/sitemap.xml
`;
}

export function sitemapIndex(origin: string, map: ShopMap): string {
  const files = [
    ...numbered('lists', map.pages),
    ...numbered('goods', map.goodsCount),
    `${origin}/sitemap-categories-1.xml`,
  ].map(
    (file) =>
      `  <sitemap><loc>${file.startsWith('/') ? origin + file : file}</loc><lastmod>${CHANGED}</lastmod></sitemap>`,
  );
  return xml('sitemapindex', files);
}

/** The URLs of one file of the index, or null if there is no such file. */
export function sitemapFile(origin: string, map: ShopMap, kind: string, file: number): string | null {
  const [count, path] =
    kind === 'lists'
      ? [map.pages, (number: number) => `/goods/list?page=${number}`]
      : kind === 'goods'
        ? [map.goodsCount, (number: number) => `/goods/${number}`]
        : [CATEGORIES.length, (number: number) => `/category/${number - 1}`];
  const first = (file - 1) * URLS_PER_SITEMAP + 1;
  if (file < 1 || first > count) return null;
  const length = Math.min(URLS_PER_SITEMAP, count - first + 1);
  return xml(
    'urlset',
    Array.from(
      { length },
      (_, index) => `  <url><loc>${origin}${path(first + index)}</loc><lastmod>${CHANGED}</lastmod></url>`,
    ),
  );
}

function numbered(kind: string, count: number): string[] {
  return Array.from({ length: Math.ceil(count / URLS_PER_SITEMAP) }, (_, index) => `/sitemap-${kind}-${index + 1}.xml`);
}

function xml(root: string, lines: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('\n')}
</${root}>
`;
}
