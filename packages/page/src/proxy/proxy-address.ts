import { ConfigError, type ConfigProblem } from '@dist-crawl/core/errors';
import { isProxyUrl, type Site } from '@dist-crawl/core/sites';

/** One proxy. Only `label` may be shown: user and password are secrets. */
export interface ProxyAddress {
  /** `http://proxy.example:8080`; a second one at the same address has ` #2` behind it. */
  readonly label: string;
  readonly kind: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

const DEFAULT_PORTS = { http: 80, https: 443, socks5: 1080 } as const;

/**
 * The proxies of a site file, with `${NAME}` filled in from the environment, so that passwords need not stand in it.
 * @throws ConfigError where a name is not set or what comes out is no proxy; no message shows a value.
 */
export function resolveProxies(
  site: Pick<Site, 'name' | 'proxies'>,
  env: Readonly<Record<string, string | undefined>>,
): ProxyAddress[] {
  const problems: ConfigProblem[] = [];
  const urls: string[] = [];
  for (const [index, text] of (site.proxies?.urls ?? []).entries()) {
    const where = `proxies.urls.${index} of site ${site.name}`;
    const missing = [...text.matchAll(/\$\{(\w+)\}/g)].flatMap(([, name = '']) => (env[name] ? [] : [name]));
    if (missing.length > 0) {
      problems.push({
        where,
        what: `${missing.join(', ')} is not set`,
        expected: 'a value in the environment or .env',
      });
      continue;
    }
    const filled = text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '');
    const parts = filled.split(/[\s,]+/).filter((part) => part !== '');
    if (parts.length === 0 || !parts.every(isProxyUrl)) {
      const expected = 'URLs such as http://user:password@proxy.example:8080 or socks5://10.0.0.2:1080';
      problems.push({ where, what: 'gives no URL of a proxy', expected });
    } else urls.push(...parts);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const seen = new Map<string, number>();
  return [...new Set(urls)].map((url) => addressOf(new URL(url), seen));
}

function addressOf({ protocol, hostname, port, username, password }: URL, seen: Map<string, number>): ProxyAddress {
  const kind = protocol === 'http:' ? 'http' : protocol === 'https:' ? 'https' : 'socks5';
  const number = port === '' ? DEFAULT_PORTS[kind] : Number(port);
  const address = `${kind}://${hostname}:${number}`;
  const count = (seen.get(address) ?? 0) + 1;
  seen.set(address, count);
  return {
    label: count === 1 ? address : `${address} #${count}`,
    kind,
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: number,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}
