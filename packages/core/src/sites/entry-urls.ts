import { canonicalize, type CanonicalUrl } from '../url/index.js';
import type { Site } from './site-schema.js';

type EntrySite = Pick<Site, 'base' | 'entries' | 'trackingParameters'>;

/** An entry of the site file, resolved against `base`; null where it is no URL that can be queued. */
export function entryUrl({ base, trackingParameters }: Omit<EntrySite, 'entries'>, entry: string): CanonicalUrl | null {
  return canonicalize(entry, { base, ...(trackingParameters === undefined ? {} : { trackingParameters }) });
}

/** The site's entry pages, each once, in the order of the file. */
export function entryUrls(site: EntrySite): CanonicalUrl[] {
  return [...new Set(site.entries.flatMap((entry) => entryUrl(site, entry) ?? []))];
}
