/** A row as it was read from a page. */
export interface GoodsRow {
  /** Absolute and canonical; null where the card has no http(s) link. */
  readonly goods_url: string | null;
  readonly goods_name: string | null;
  /** Decimal string, exact; null where there is none, or where its text (then in `attributes.price_text`) can't be read. */
  readonly price: string | null;
  /** ISO 4217; null where neither the page nor the site says it. */
  readonly currency: string | null;
  /** All other fields of the site file. */
  readonly attributes: Readonly<Record<string, unknown>>;
}
