import { CATEGORIES } from './catalogue.js';
import { escapeHtml, scriptJson, type ShopCharset } from './markup.js';

/**
 * What all pages of the shop share, and what makes a page as long as a real one's: head, navigation, category tree,
 * scripts, footer. Made once, since only title and main part differ from page to page.
 */
export interface Chrome {
  readonly beforeTitle: string;
  readonly afterTitle: string;
  readonly afterMain: string;
}

export function makeChrome(charset: ShopCharset): Chrome {
  return {
    beforeTitle: `<!DOCTYPE html>
<html lang="zh-CN">
<head>
<meta charset="${charset}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="renderer" content="webkit">
<meta name="format-detection" content="telephone=no">
<title>`,
    afterTitle: `</title>
<meta name="keywords" content="示例商城,网上购物,${CATEGORIES.join(',')}">
<meta property="og:site_name" content="示例商城">
<link rel="icon" href="/static/favicon.ico">
<link rel="stylesheet" href="/static/base.css">
<style>${styles()}</style>
<script>window.__CONFIG__ = ${scriptJson(CLIENT_CONFIG)};</script>
</head>
<body class="page">
${header()}
${categoryTree()}
<main class="content">
`,
    afterMain: `</main>
${footer()}
<script>${script()}</script>
<script src="/static/app.js" defer></script>
</body>
</html>
`,
  };
}

const CLIENT_CONFIG = {
  env: 'prod',
  region: 'cn-east',
  currency: 'CNY',
  experiments: Array.from({ length: 24 }, (_, index) => ({
    id: `exp_${1000 + index}`,
    bucket: index % 4,
    layer: `layer-${index % 6}`,
    on: index % 3 === 0,
  })),
  endpoints: ['cart', 'user', 'coupon', 'recommend', 'search', 'track'].map((name) => `/api/v2/${name}`),
};

function styles(): string {
  const names = ['header', 'nav', 'tree', 'list', 'card', 'img', 'title', 'price', 'old', 'rating', 'tag', 'footer'];
  return names
    .map(
      (name, index) =>
        `.s-${name}{display:flex;margin:${index}px auto;padding:${4 + index}px ${8 + index}px;border-radius:4px;` +
        `color:#${(0x222222 + index * 0x0a0b0c).toString(16)};font:14px/1.5 "PingFang SC","Microsoft YaHei",sans-serif}` +
        `.s-${name}:hover{box-shadow:0 2px 8px rgba(0,0,0,.${index + 10});transform:translateY(-${index % 3}px)}` +
        `@media (max-width:768px){.s-${name}{padding:${2 + index}px;font-size:${12 + (index % 3)}px}}`,
    )
    .join('\n');
}

function header(): string {
  const links = ['首页', '秒杀', '优惠券', '新品', '排行榜', '会员', '企业采购', '客户服务'];
  return `<header class="s-header" role="banner">
<div class="s-nav"><a class="logo" href="/">示例商城</a>
<form action="/search" method="get"><input name="q" placeholder="搜索商品" autocomplete="off"><button>搜索</button></form>
<a href="/cart" rel="nofollow">购物车 <span class="badge">0</span></a></div>
<nav><ul>${links.map((text, index) => `<li class="nav-item"><a href="/${index === 0 ? '' : `promo/${index}`}">${text}</a></li>`).join('')}</ul></nav>
</header>`;
}

function categoryTree(): string {
  return `<aside class="s-tree"><h2>全部分类</h2><ul>${CATEGORIES.map(categoryGroup).join('\n')}</ul></aside>`;
}

function categoryGroup(name: string, index: number): string {
  const leaves = ['精选', '新品', '特价', '进口', '自营', '二手', '定制'].map(
    (kind, leaf) =>
      `<li><a class="tree-leaf" data-track="tree.${index}.${leaf}" href="/category/${index}?tag=${leaf}">${kind}${name.slice(0, 2)}</a></li>`,
  );
  return `<li class="tree-group"><a class="tree-link" href="/category/${index}">${escapeHtml(name)}</a>
<ul class="tree-sub">${leaves.join('\n')}</ul></li>`;
}

function footer(): string {
  const columns = ['购物指南', '配送方式', '支付方式', '售后服务', '特色服务'];
  return `<footer class="s-footer"><div class="columns">${columns.map(footerColumn).join('\n')}</div>
<p class="legal">&copy; 示例商城 &middot; 本页面由演示程序生成，商品与价格均为虚构。</p></footer>`;
}

function footerColumn(column: string, index: number): string {
  const links = Array.from(
    { length: 6 },
    (_, line) => `<dd><a href="/help/${index}-${line}" rel="nofollow">${column}说明 ${line + 1}</a></dd>`,
  );
  return `<dl><dt>${column}</dt>${links.join('')}</dl>`;
}

function script(): string {
  return Array.from(
    { length: 20 },
    (_, index) =>
      `(function(w,d){var n="mod_${index}";w.__m=w.__m||{};w.__m[n]=function(e){var t=d.querySelectorAll("[data-track]");` +
      `for(var i=0;i<t.length;i++){if(i%${index + 2}===0){t[i].setAttribute("data-seen",n)}}return e&&e.type?e.type:n}})(window,document);`,
  ).join('\n');
}
