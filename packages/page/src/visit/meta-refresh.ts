import { scanMarkup } from '../charset/scan-markup.js';

/** A refresh later than this reloads a page that people read; sooner, the page only sends on. */
const MAX_DELAY_SECONDS = 5;

/** Whether a page sends on to another at once by <meta http-equiv=refresh>, other than for readers without scripts. */
export function sendsOn(html: string): boolean {
  for (const token of scanMarkup(html)) {
    if (!('tag' in token) || token.tag !== 'meta') continue;
    if (token.attributes.get('http-equiv')?.trim().toLowerCase() !== 'refresh') continue;
    return Number.parseFloat(token.attributes.get('content') ?? '') <= MAX_DELAY_SECONDS;
  }
  return false;
}
