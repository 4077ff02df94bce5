import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { FetchFailure } from './failure.js';

/** Metadata and wire servers of clouds that lie in public ranges. */
const REFUSED_PUBLIC = new Set(['168.63.129.16']);

/**
 * Whether an address is on the public Internet: not private, loopback, link-local, shared, multicast, reserved or a
 * cloud's metadata server, IPv4 and IPv6, also where an IPv6 address carries an IPv4 one.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // a mapped IPv4 address becomes plain
  if (REFUSED_PUBLIC.has(parsed.toString())) return false;
  const range = parsed.range();
  if (range === 'rfc6052' && parsed instanceof ipaddr.IPv6) {
    // NAT64: an IPv6-only network reaches public IPv4 hosts this way
    const embedded = parsed.toByteArray().slice(12);
    return isPublicAddress(ipaddr.fromByteArray(embedded).toString());
  }
  return range === 'unicast';
}

/** Throws `private-address` for a URL whose host is a refused address; names are checked when they are looked up. */
export function checkLiteralAddress(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host) && !isPublicAddress(host)) throw privateAddress(host, host);
}

type Callback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * `dns.lookup` for connections, which hands out public addresses only. Being the connection's own look-up, it leaves
 * no gap in which a name could change its address after the check (DNS rebinding).
 */
export function lookupPublic(host: string, options: LookupOptions, callback: Callback): void {
  dnsLookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const usable = addresses.filter(({ address }) => isPublicAddress(address));
    const first = usable[0];
    if (first === undefined)
      return callback(privateAddress(host, addresses.map(({ address }) => address).join(', ')), []);
    return options.all === true ? callback(null, usable) : callback(null, first.address, first.family);
  });
}

function privateAddress(host: string, address: string): FetchFailure {
  const what = host === address ? address : `${host} (${address})`;
  return new FetchFailure(
    'private-address',
    `${what} is no public address; \`allowPrivateAddresses: true\` in the site file would allow it`,
  );
}
