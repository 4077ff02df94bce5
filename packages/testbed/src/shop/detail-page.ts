import { CATEGORIES, type ShopGoods } from './catalogue.js';
import { renderPrice } from './list-page.js';
import { escapeHtml, scriptJson } from './markup.js';

/** The page of one article, with its data as JSON-LD (schema.org Product) as search engines ask for it. */
export function renderDetailPage(goods: ShopGoods, goodsCount: number): string {
  const name = escapeHtml(goods.name);
  const category = CATEGORIES[goods.category] ?? '';
  const related = [goods.id - 1, goods.id + 1, goods.id + CATEGORIES.length].filter(
    (id) => id >= 1 && id <= goodsCount,
  );
  return `<nav class="crumbs"><a href="/">首页</a> &gt; <a href="/category/${goods.category}">${category}</a></nav>
<script type="application/ld+json">${scriptJson(jsonLd(goods, category))}</script>
<article class="goods-detail" data-sku="${100_000_000 + goods.id}">
<h1 class="title">${name}</h1>
<img src="/static/img/${goods.id % 997}/${goods.id}_660.jpg" alt="${name}" width="660" height="660">
<p class="price">${renderPrice(goods)}</p>
<p class="rating">${goods.rating / 10} / 5 (${goods.reviews} 条评价)</p>
<table class="specs"><tbody>${['品牌', '产地', '材质', '重量', '保修', '包装']
    .map(
      (label, index) =>
        `<tr><th>${label}</th><td>${index === 0 ? escapeHtml(goods.brand) : `规格 ${goods.id % (index + 7)}`}</td></tr>`,
    )
    .join('\n')}</tbody></table>
<ul class="related">${related.map((id) => `<li><a href="/goods/${id}">相关商品 ${id}</a></li>`).join('')}</ul>
</article>
`;
}

function jsonLd(goods: ShopGoods, category: string): unknown {
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: goods.name,
    sku: String(100_000_000 + goods.id),
    url: goods.path,
    category,
    brand: { '@type': 'Brand', name: goods.brand },
    aggregateRating: { '@type': 'AggregateRating', ratingValue: goods.rating / 10, reviewCount: goods.reviews },
    offers: {
      '@type': 'Offer',
      price: goods.price,
      priceCurrency: goods.currency,
      availability: 'https://schema.org/InStock',
    },
  };
}
