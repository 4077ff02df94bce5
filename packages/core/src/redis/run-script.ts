import { setTimeout } from 'node:timers/promises';
import type { RedisClient } from './connect.js';
import type { DoneVariant, KeyName, Script } from './define-script.js';
import type { RedisKey, SiteKeys } from './keys.js';
import { passesByItself } from './refusals.js';

export interface ScriptRunner {
  /**
   * Runs one script: EVALSHA, and EVAL where Redis does not know it (restarted, failed over, SCRIPT FLUSH).
   * @param call.keys - keys that are not fixed by the site: which worker's `inFlight`, which `lock`
   * @param call.rest - the open list, flat
   * What passes by itself (a failover, a restart) is waited for, up to a minute: every script may run twice.
   * @throws what Redis answers as an error (OOM, …); a reply of an unexpected shape
   */
  run<Arg extends string, Reply>(
    script: Script<Arg, Reply>,
    call: {
      readonly args: Readonly<Record<Arg, string | number>>;
      readonly keys?: Partial<Record<KeyName, RedisKey>>;
      readonly rest?: readonly (string | number)[];
    },
  ): Promise<Reply>;
}

export interface ScriptRunnerOptions {
  readonly client: RedisClient;
  readonly keys: SiteKeys;
  readonly done: { readonly variant: DoneVariant; readonly parameters: string };
  /** A clock for tests, in ms; absent: Redis' own. */
  readonly clock?: (() => number) | undefined;
}

/** Runs scripts on one site's keys. */
export function createScriptRunner({ client, keys: siteKeys, done, clock }: ScriptRunnerOptions): ScriptRunner {
  return {
    async run(script, { args, keys = {}, rest = [] }) {
      const { text, sha } = script.source(done.variant);
      const names = script.keys.map((name) => {
        const key = keys[name] ?? (name === 'lock' || name === 'inFlight' ? undefined : siteKeys[name]);
        if (key === undefined) throw new Error(`script ${script.name}: no key given for ${name}`);
        return key;
      });
      const values = [
        clock === undefined ? '' : clock(),
        ...(script.shared.includes('done') ? [done.parameters] : []),
        ...script.args.map((name) => args[name]),
        ...rest,
      ];
      return script.reply.parse(await evaluate(client, sha, text, names, values));
    },
  };
}

const PATIENCE_MS = 60_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

async function evaluate(
  client: RedisClient,
  sha: string,
  text: string,
  keys: readonly RedisKey[],
  values: readonly (string | number)[],
): Promise<unknown> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await evaluateOnce(client, sha, text, keys, values);
    } catch (error) {
      // 'end': closed by us.
      if (!passesByItself(error) || client.status === 'end' || performance.now() > deadline) throw error;
      await setTimeout(waitMs * (0.75 + Math.random() / 2));
    }
  }
}

async function evaluateOnce(
  client: RedisClient,
  sha: string,
  text: string,
  keys: readonly RedisKey[],
  values: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await client.evalsha(sha, keys.length, ...keys, ...values);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return client.eval(text, keys.length, ...keys, ...values);
  }
}
