import type { RedisClient } from '@dist-crawl/core/redis';
import type { Finding } from './finding.js';

/** BLMOVE came with 6.2. */
const OLDEST = [6, 2] as const;
const NEARLY_FULL = 0.9;

/** Looks at Redis' version and at settings that endanger a crawl, as INFO tells them (managed servers refuse CONFIG). */
export async function checkRedis(redis: RedisClient): Promise<Finding[]> {
  if (!('nodes' in redis)) return judgeRedis(parseInfo(await redis.info()));
  const found = await Promise.all(
    redis.nodes('master').map(async (master) => {
      const node = `${master.options.host}:${master.options.port}`;
      return judgeRedis(parseInfo(await master.info())).map((each) => ({ ...each, what: `${node}: ${each.what}` }));
    }),
  );
  return found.flat();
}

export function judgeRedis(info: ReadonlyMap<string, string>): Finding[] {
  return [version(info), role(info), eviction(info), fullness(info), persistence(info)].filter((each) => each !== null);
}

export function parseInfo(text: string): Map<string, string> {
  const pairs = text.split(/\r?\n/u).flatMap((line) => {
    const end = line.indexOf(':');
    return line.startsWith('#') || end === -1 ? [] : [[line.slice(0, end), line.slice(end + 1)] as const];
  });
  return new Map(pairs);
}

type Info = ReadonlyMap<string, string>;
const finding = (level: Finding['level'], what: string): Finding => ({ level, subject: 'Redis', what });

function version(info: Info): Finding {
  const text = info.get('redis_version') ?? 'unknown';
  const [major = 0, minor = 0] = text.split('.').map(Number);
  const recent = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (recent) return finding('ok', `version ${text}`);
  return finding('violated', `version ${text} is too old: ${OLDEST.join('.')} or newer is needed`);
}

function role(info: Info): Finding | null {
  if (info.get('role') !== 'slave') return null;
  return finding(
    'violated',
    'it is a replica, which takes no writes: REDIS_URL must name the primary, or REDIS_SENTINELS those who know it',
  );
}

function eviction(info: Info): Finding {
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  const limited = Number(info.get('maxmemory') ?? 0) > 0;
  if (policy === 'noeviction')
    return finding('ok', 'maxmemory-policy is noeviction: nothing is dropped when memory is full');
  if (!limited) return finding('ok', `maxmemory-policy is ${policy}, without effect as there is no maxmemory`);
  return finding(
    'violated',
    `maxmemory-policy is ${policy}: when memory is full, Redis drops URLs without a word. Set it to noeviction`,
  );
}

function fullness(info: Info): Finding | null {
  const limit = Number(info.get('maxmemory') ?? 0);
  const used = Number(info.get('used_memory') ?? 0);
  if (limit === 0 || used < limit * NEARLY_FULL) return null;
  const percent = Math.round((used / limit) * 100);
  return finding('warning', `${percent} % of maxmemory is used: when it is full nothing more can be queued`);
}

function persistence(info: Info): Finding {
  if (info.get('aof_enabled') === '1')
    return finding('ok', 'the append-only file is on: a restart loses a second at most');
  return finding(
    'warning',
    'the append-only file is off: a restart of Redis forgets what happened since its last snapshot. Set appendonly yes',
  );
}
