// Called with each page that was fetched; docs/site-files.md tells what `page` holds.

/** One row for each product in `window.__STATE__ = {...}`. */
export function goods(page) {
  const state = stateOf(page);
  return state.search.items.map((item) => ({
    goods_url: `/p/${item.id}`,
    goods_name: item.title,
    price: page.price(item.priceText)?.amount ?? null,
    currency: 'EUR',
    rating: item.rating, // no column of that name: it goes to the attributes
  }));
}

/** The pages after this one. */
export function follow(page) {
  const { next } = stateOf(page).search;
  return next ? [next] : [];
}

function stateOf({ $ }) {
  const scripts = $('script').toArray();
  const text = scripts.map((script) => $(script).text()).find((script) => script.includes('window.__STATE__'));
  // A page without it has changed: it fails, with these words, in place of passing for one without goods.
  if (!text) throw new Error('no window.__STATE__ in the page');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}
