import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Connections } from '../fetch/connections.js';
import { FetchFailure, failureOf } from '../fetch/failure.js';
import type { ProxyAddress } from './proxy-address.js';
import { ProxyState, type HealthRule, type ProxyHealth } from './proxy-health.js';

export interface ProxyPoolOptions extends HealthRule {
  readonly proxies: readonly ProxyAddress[];
  readonly rotate: 'per-request' | 'sticky';
  /** Makes the connections through one proxy. */
  readonly connect: (proxy: ProxyAddress) => Connections;
  /** Ms of a clock that only goes forward. */
  readonly now?: () => number;
}

/** Connections through several proxies. */
export interface ProxyPool extends Connections {
  health(): ProxyHealth[];
}

/** Where no tunnel came about nothing was asked for yet, so another proxy is tried: this many in all. */
const MAX_TRIES = 3;
/** What says nothing of the proxy: our own decision, or the answer of the site. */
const NOT_ITS_FAULT = new Set(['aborted', 'private-address', 'tls', 'bad-response', 'headers-too-large']);

/**
 * Sends each request through a proxy that works. One that fails so many times in a row rests; while all rest, requests
 * fail at once with kind `proxy` and the time until one is back.
 */
export function createProxyPool(options: ProxyPoolOptions): ProxyPool {
  const { proxies, rotate, connect, now = () => performance.now() } = options;
  const members = proxies.map((proxy) => ({ state: new ProxyState(proxy, options, now), connections: connect(proxy) }));
  let turn = 0;

  function choose(host: string, tried: ReadonlySet<unknown>) {
    const usable = members.filter((member) => member.state.restsMs === 0 && !tried.has(member));
    if (rotate === 'sticky') return preferred(usable, host);
    turn += 1;
    return usable[turn % usable.length];
  }

  function noneLeft(failure: FetchFailure | undefined): FetchFailure {
    const rests = members.map(({ state }) => state.restsMs);
    const soonest = Math.min(...rests);
    if (soonest === 0) return failure ?? new FetchFailure('proxy', 'there is no proxy');
    const seconds = Math.ceil(soonest / 1000);
    const message = `all ${members.length} proxies rest; the first is back in ${seconds} s`;
    return new FetchFailure('proxy', failure === undefined ? message : `${message} (${failure.message})`, {
      retryAfterMs: soonest,
    });
  }

  return {
    async request(request) {
      const tried = new Set<unknown>();
      let failure: FetchFailure | undefined;
      while (tried.size < MAX_TRIES) {
        const member = choose(new URL(String(request.origin)).host, tried);
        if (member === undefined) break;
        tried.add(member);
        try {
          const answer = await member.connections.request(request);
          member.state.answered();
          return answer;
        } catch (error) {
          const reason = failureOf(signalOf(request)?.aborted === true ? signalOf(request)?.reason : error);
          if (!NOT_ITS_FAULT.has(reason.kind)) member.state.failed(reason.message);
          if (reason.kind !== 'proxy') throw error;
          failure = reason;
        }
      }
      throw noneLeft(failure);
    },
    async close() {
      await Promise.all(members.map(({ connections }) => connections.close()));
    },
    health: () => members.map(({ state }) => state.health()),
  };
}

function signalOf({ signal }: Dispatcher.RequestOptions): AbortSignal | undefined {
  return signal instanceof AbortSignal ? signal : undefined;
}

/** Of the proxies that work, the one that all nodes choose for this host; when it comes back, the host returns to it. */
function preferred<T extends { readonly state: ProxyState }>(members: readonly T[], host: string): T | undefined {
  let best: { readonly member: T; readonly rank: string } | undefined;
  for (const member of members) {
    const { label, user } = member.state.proxy;
    const rank = createHash('sha256').update(`${host}\n${label}\n${user}`).digest('hex');
    if (best === undefined || rank > best.rank) best = { member, rank };
  }
  return best?.member;
}
