import { CATEGORIES, grouped, type PriceStyle, type ShopGoods } from './catalogue.js';
import { escapeHtml } from './markup.js';

/** One page of a list of goods: of the whole shop or of a category. */
export interface ListPage {
  /** `/goods/list` or `/category/3`. */
  readonly path: string;
  readonly heading: string;
  readonly page: number;
  readonly pages: number;
  readonly goods: readonly ShopGoods[];
  /** As after a redesign: the same goods under other class names. */
  readonly newLayout: boolean;
}

export function renderListPage(list: ListPage): string {
  const card = list.newLayout ? renderTile : renderCard;
  const cards =
    list.goods.length === 0
      ? '<p class="empty">暂无商品，换个条件试试。</p>'
      : list.goods.map((goods, index) => card(goods, index)).join('\n');
  return `<nav class="crumbs"><a href="/">首页</a> &gt; <a href="${list.path}">${escapeHtml(list.heading)}</a></nav>
<h1>${escapeHtml(list.heading)} <small>第 ${list.page} 页 / 共 ${list.pages} 页</small></h1>
<div class="${list.newLayout ? 'tiles' : 'goods-list'}">
${cards}
</div>
${paging(list)}
`;
}

function renderCard(goods: ShopGoods, index: number): string {
  const name = escapeHtml(goods.name);
  const image = `/static/img/${goods.id % 997}/${goods.id}`;
  return `<article class="goods-card s-card" data-sku="${100_000_000 + goods.id}" data-index="${index}" data-track="list.card.${index}">
<a class="s-img" href="${goods.path}" title="${name}" target="_blank"><img loading="lazy" width="220" height="220" src="${image}_220.jpg" srcset="${image}_220.jpg 1x, ${image}_440.jpg 2x, ${image}_660.jpg 3x" alt="${name}"></a>
<div class="s-list"><h3 class="title s-title">${name}</h3>
<p class="sub"><a href="/category/${goods.category}">${CATEGORIES[goods.category] ?? ''}</a> <span class="brand">${escapeHtml(goods.brand)}</span></p>
<div class="s-price"><span class="price">${renderPrice(goods)}</span>${goods.oldPrice === null ? '' : ` <del class="old-price">&yen;${grouped(goods.oldPrice)}</del>`}</div>
<div class="s-rating" data-score="${goods.rating}"><span class="stars" style="width:${goods.rating * 2}%" aria-label="${goods.rating / 10} / 5"></span><span class="reviews">${goods.reviews} 条评价</span></div>
<div class="s-tag"><span class="tag">自营</span><span class="tag">包邮</span><button type="button" class="add" data-sku="${100_000_000 + goods.id}" data-track="list.add.${index}">加入购物车</button></div></div>
</article>`;
}

function renderTile(goods: ShopGoods, index: number): string {
  return `<section class="product-tile" data-pos="${index}"><p class="tile-name"><a href="${goods.path}?from=tile">${escapeHtml(goods.name)}</a></p>
<p class="tile-amount" data-value="${goods.price}">${renderPrice(goods)}</p></section>`;
}

/** The price as this article's card has it; every style reads as the same amount. */
export function renderPrice({ price, priceStyle }: ShopGoods): string {
  const amount = grouped(price);
  const [whole = '', cents = ''] = amount.split('.');
  const written: Readonly<Record<PriceStyle, string>> = {
    'yen-sign': `¥${amount}`,
    'full-width-sign': `￥${whole}`,
    entity: `&yen;${amount}`,
    split: `<em>¥</em><b>${whole}</b><i>.${cents}</i>`,
    spaced: `\n  ¥&nbsp;${amount}\n`,
    yuan: `${amount}元`,
  };
  return written[priceStyle];
}

function paging({ path, page, pages }: ListPage): string {
  const near = [1, page - 2, page - 1, page, page + 1, page + 2, pages];
  const numbers = [...new Set(near)].filter((number) => number >= 1 && number <= pages).toSorted((a, b) => a - b);
  const link = (number: number): string =>
    number === page
      ? `<span class="current">${number}</span>`
      : `<a class="page-link" href="${path}?page=${number}">${number}</a>`;
  return `<div class="paging">${page > 1 ? `<a class="prev" rel="prev" href="${path}?page=${page - 1}">上一页</a>` : ''}
${numbers.map(link).join('\n')}
${page < pages ? `<a class="next" rel="next" href="${path}?page=${page + 1}">下一页</a>` : ''}</div>`;
}
