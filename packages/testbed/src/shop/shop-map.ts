import { CATEGORIES, goodsOf, type ShopGoods } from './catalogue.js';

/** How large a shop is, and which goods are on which page. */
export class ShopMap {
  readonly seed: number;
  readonly pages: number;
  readonly cardsPerPage: number;

  constructor(seed: number, pages: number, cardsPerPage: number) {
    this.seed = seed;
    this.pages = pages;
    this.cardsPerPage = cardsPerPage;
  }

  get goodsCount(): number {
    return this.pages * this.cardsPerPage;
  }

  goods(id: number): ShopGoods {
    return goodsOf(this.seed, id);
  }

  /** What the list page with this number shows; empty beyond the last. */
  listGoods(page: number): ShopGoods[] {
    if (page < 1 || page > this.pages) return [];
    const first = (page - 1) * this.cardsPerPage + 1;
    return Array.from({ length: this.cardsPerPage }, (_, index) => this.goods(first + index));
  }

  categoryPages(category: number): number {
    return Math.max(1, Math.ceil(this.#categorySize(category) / this.cardsPerPage));
  }

  categoryGoods(category: number, page: number): ShopGoods[] {
    const first = (page - 1) * this.cardsPerPage;
    const count = Math.max(0, Math.min(this.cardsPerPage, this.#categorySize(category) - first));
    return Array.from({ length: count }, (_, index) => this.goods((first + index) * CATEGORIES.length + category + 1));
  }

  #categorySize(category: number): number {
    return Math.max(0, Math.ceil((this.goodsCount - category) / CATEGORIES.length));
  }
}
