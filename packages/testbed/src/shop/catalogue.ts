import { hashNumbers, pick, randomFrom } from './random.js';

/** How a price is written on a card. */
export type PriceStyle = 'yen-sign' | 'full-width-sign' | 'entity' | 'split' | 'spaced' | 'yuan';

/** One article of the shop, and so the truth about it that a crawl can be compared with. */
export interface ShopGoods {
  readonly id: number;
  /** As a reader sees it: entities decoded, single blanks. */
  readonly name: string;
  /** The path of its page. */
  readonly path: string;
  /** Two decimals, a point, no grouping: `1299.00`. */
  readonly price: string;
  readonly oldPrice: string | null;
  readonly currency: 'CNY';
  readonly priceStyle: PriceStyle;
  readonly brand: string;
  readonly category: number;
  /** Out of 50: 47 stands for 4.7 stars. */
  readonly rating: number;
  readonly reviews: number;
}

export const CATEGORIES: readonly [string, ...string[]] = [
  '手机数码',
  '电脑办公',
  '家用电器',
  '服饰内衣',
  '鞋靴箱包',
  '美妆个护',
  '母婴玩具',
  '食品生鲜',
  '图书文娱',
  '运动户外',
  '家居家装',
  '汽车用品',
];

const BRANDS = [
  '晨光',
  '云杉',
  'Lumière',
  '北岸',
  'Café Noir',
  '松果',
  'R&D Labs',
  '青禾',
  'Møller',
  '三棵树',
] as const;
const QUALITIES = ['无线', '便携', '加厚', '智能', '复古', '防水', '静音', '轻薄', '儿童', '旗舰'] as const;
const THINGS = [
  '蓝牙耳机',
  '机械键盘',
  '电饭煲',
  '羊毛围巾',
  '登山鞋',
  '保湿面霜',
  '积木套装',
  '龙井茶',
  '摄影画册',
  '瑜伽垫',
  '台灯',
  '行车记录仪',
] as const;
const EXTRAS = [
  '🎧',
  '“限量版”',
  '(2 件装)',
  '128GB < 256GB',
  '买 1 & 送 1',
  '🔥 热卖',
  '"Pro" 版',
  '½ 价',
  '𠮷祥款',
  '',
] as const;
const STYLES = ['yen-sign', 'full-width-sign', 'entity', 'split', 'spaced', 'yuan'] as const;

/** The goods with this number (from 1) of the shop with this seed. */
export function goodsOf(seed: number, id: number): ShopGoods {
  const random = randomFrom(hashNumbers(seed, id));
  const brand = pick(random, BRANDS);
  const priceStyle = pick(random, STYLES);
  const words = [brand, pick(random, QUALITIES) + pick(random, THINGS), pick(random, EXTRAS), `No.${id}`];
  const cents = priceInCents(random, priceStyle);
  const discounted = random() < 0.4;
  return {
    id,
    name: words.filter((word) => word !== '').join(' '),
    path: `/goods/${id}`,
    price: decimal(cents),
    oldPrice: discounted ? decimal(Math.round(cents * 1.25)) : null,
    currency: 'CNY',
    priceStyle,
    brand,
    category: (id - 1) % CATEGORIES.length,
    rating: 30 + Math.floor(random() * 21),
    reviews: Math.floor(random() ** 3 * 50_000),
  };
}

/** From 9.90 to about 25,000.00, most of them small; the style without decimals has whole amounts only. */
function priceInCents(random: () => number, style: PriceStyle): number {
  const cents = 990 + Math.floor(random() ** 4 * 2_500_000);
  return style === 'full-width-sign' ? Math.ceil(cents / 100) * 100 : cents;
}

function decimal(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** `12999.50` → `12,999.50`. */
export function grouped(price: string): string {
  return price.replace(/\B(?=(\d{3})+(?!\d))(?<!\..*)/g, ',');
}
