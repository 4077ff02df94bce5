import { z } from 'zod';
import { block } from './block.js';

const SCHEMES = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);
const EXPECTED =
  'such as http://proxy.example:8080, socks5://user:password@10.0.0.2:1080, or ${PROXY_URL} of the environment';

/** Whether a text is the URL of a proxy that can be used; one with `${NAME}` is known only when its value is. */
export function isProxyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  return SCHEMES.has(protocol) && hostname !== '' && /^\/?$/.test(pathname) && search === '' && hash === '';
}

const proxyUrl = z.string().superRefine((text, context) => {
  if (/\$\{\w+\}/.test(text) || isProxyUrl(text)) return;
  // The text may hold a password: it is not shown.
  context.addIssue({ code: 'custom', message: 'is no URL of a proxy', params: { expected: EXPECTED } });
});

/** Through which proxies a site is asked. */
export const proxiesSchema = block({
  /** `${NAME}` is taken from the environment or `.env`, and may hold several URLs, with commas or white space between. */
  urls: z.array(proxyUrl).min(1),
  /** `sticky`: one host always through the same proxy, as long as that works. */
  rotate: z.enum(['per-request', 'sticky']).default('per-request'),
  /** Failures in a row after which a proxy is left out … */
  failures: z.int().min(1).max(1000).default(3),
  /** … for so long, and twice as long each time that it fails again, up to ten times this. */
  restSeconds: z.number().min(1).max(86_400).default(60),
});
export type Proxies = z.infer<typeof proxiesSchema>;
