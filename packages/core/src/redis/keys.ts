declare const redisKey: unique symbol;

/** The name of a Redis key. Made only here: a key is never spelled out elsewhere. */
export type RedisKey = string & { readonly [redisKey]: true };

/** All keys of one site; the table in docs/architecture.md says what each holds. */
export interface SiteKeys {
  readonly namespace: string;
  readonly taskQueue: RedisKey;
  readonly pendingUrlSet: RedisKey;
  readonly doneUrlSet: RedisKey;
  /** Hash: layer → its description. The bitmap of a layer is at `<doneBloom>:<layer>`. */
  readonly doneBloom: RedisKey;
  readonly deadUrlSet: RedisKey;
  readonly failUrlZset: RedisKey;
  readonly task: RedisKey;
  readonly workers: RedisKey;
  readonly producers: RedisKey;
  readonly pace: RedisKey;
  readonly stats: RedisKey;
  /** Hash: origin → Crawl-delay of its robots.txt, ms. */
  readonly crawlDelays: RedisKey;
  /** Hash: what is known of the site's proxies. */
  readonly proxies: RedisKey;
  /** Hash: path → how many of its URLs with several parameters links have added (query-explosion guard). */
  readonly queryVariants: RedisKey;
  /** ZSet: goods of a list page, as a fingerprint → the lowest page that has them. */
  readonly rangeGoods: RedisKey;
  /** ZSet: page numbers beyond the end of a range → when that was found out. */
  readonly rangeEnds: RedisKey;
  /** Hash: the highest list page with goods of its own, and when it was seen. */
  readonly rangeTop: RedisKey;
  /** Scripts append the URL: which ones they lock is known only inside. Same slot as all keys of the site. */
  readonly lockPrefix: string;
  readonly inFlightPrefix: string;
  inFlight(worker: string): RedisKey;
  /** Lock of a scheduler's job, beside the URL locks: `<ns>:lock:job:<name>`. */
  jobLock(job: string): RedisKey;
  /** Text that is shared by the nodes and may be gone at any time, such as a robots.txt: `<ns>:cache:<what>`. */
  cache(what: string): RedisKey;
}

/**
 * The keys under a site's namespace.
 * @param cluster - wraps the namespace in braces, so that all keys of a site share a slot (Redis Cluster hash tags)
 */
export function siteKeys(namespace: string, { cluster = false }: { cluster?: boolean } = {}): SiteKeys {
  const ns = cluster ? `{${namespace}}` : namespace;
  const key = (name: string): RedisKey => `${ns}:${name}` as RedisKey;
  return {
    namespace: ns,
    taskQueue: key('task_queue'),
    pendingUrlSet: key('pending_url_set'),
    doneUrlSet: key('done_url_set'),
    doneBloom: key('done_bloom'),
    deadUrlSet: key('dead_url_set'),
    failUrlZset: key('fail_url_zset'),
    task: key('task'),
    workers: key('workers'),
    producers: key('producers'),
    pace: key('pace'),
    stats: key('stats'),
    crawlDelays: key('crawl_delays'),
    proxies: key('proxies'),
    queryVariants: key('query_variants'),
    rangeGoods: key('range_goods'),
    rangeEnds: key('range_ends'),
    rangeTop: key('range_top'),
    lockPrefix: key('lock:'),
    inFlightPrefix: key('in_flight:'),
    inFlight: (worker) => key(`in_flight:${worker}`),
    jobLock: (job) => key(`lock:job:${job}`),
    cache: (what) => key(`cache:${what}`),
  };
}
