/** What `crawl shop` is without flags; the port is that of sites/demo-shop.yaml. */
export const SHOP_DEFAULTS = { port: 8099, pages: 200, seed: 1 } as const;
