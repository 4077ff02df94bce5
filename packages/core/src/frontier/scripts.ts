import { z } from 'zod';
import { defineScript } from '../redis/index.js';

/** One binding per Lua file; the files say what each does and returns. */

const count = z.number().int();
const flat = z.array(z.string());

export const enqueue = defineScript({
  name: 'enqueue',
  effect: 'adds',
  shared: ['done', 'clock'],
  keys: ['taskQueue', 'pendingUrlSet', 'deadUrlSet', 'task', 'stats', 'doneUrlSet', 'doneBloom', 'queryVariants'],
  args: ['fresh', 'depth', 'may_end', 'high_water', 'max_pages', 'max_depth', 'max_variants', 'path_repeats'],
  rest: ['url'],
  reply: z.tuple([count, count, count, count, count, count, count, count]),
});

export const claim = defineScript({
  name: 'claim',
  shared: ['clock', 'task', 'lease', 'pace'],
  keys: ['taskQueue', 'pendingUrlSet', 'failUrlZset', 'task', 'workers', 'pace', 'stats', 'inFlight'],
  args: ['worker', 'request', 'limit', 'lease_ms', 'rate', 'burst', 'concurrency', 'ahead_ms', 'lock_prefix'],
  reply: z.union([
    z.tuple([z.literal('unregistered')]),
    z.tuple([z.literal('empty')]),
    z.tuple([z.literal('wait'), count, z.string(), z.string()]),
    z.tuple([z.literal('tasks'), count], z.tuple([z.string(), z.string(), count, z.string()])),
  ]),
});

export const register = defineScript({
  name: 'register',
  shared: ['clock'],
  keys: ['workers'],
  args: ['worker'],
  reply: count,
});

export const renew = defineScript({
  name: 'renew',
  shared: ['clock', 'lease'],
  keys: ['workers', 'inFlight', 'taskQueue', 'stats'],
  args: ['worker', 'lease_ms', 'grace_ms', 'lock_prefix'],
  rest: ['url', 'token'],
  reply: z.union([z.tuple([z.literal('unregistered')]), z.tuple([z.literal('renewed'), count], z.string())]),
});

export const complete = defineScript({
  name: 'complete',
  shared: ['clock', 'lease', 'done'],
  keys: ['inFlight', 'pendingUrlSet', 'task', 'deadUrlSet', 'doneUrlSet', 'doneBloom', 'pace', 'stats'],
  args: ['lock_prefix'],
  rest: ['url', 'token', 'final_url', 'rows'],
  reply: z.array(z.enum(['completed', 'already', 'lost'])),
});

export const fail = defineScript({
  name: 'fail',
  shared: ['clock', 'task', 'lease', 'pause'],
  keys: ['inFlight', 'failUrlZset', 'task', 'pace', 'stats'],
  args: [
    'lock_prefix',
    'url',
    'token',
    'kind',
    'message',
    'status',
    'node',
    'barren_limit',
    'away',
    'away_limit',
    'base_ms',
    'cap_ms',
    'jitter',
  ],
  reply: z.tuple([z.enum(['failed', 'already', 'lost']), count, count, z.string()]),
});

export const bury = defineScript({
  name: 'bury',
  shared: ['clock', 'lease'],
  keys: ['inFlight', 'pendingUrlSet', 'task', 'deadUrlSet', 'stats'],
  args: ['lock_prefix'],
  rest: ['url', 'token'],
  reply: z.array(z.enum(['buried', 'already', 'lost'])),
});

export const buryFailed = defineScript({
  name: 'bury-failed',
  shared: ['clock'],
  keys: ['failUrlZset', 'pendingUrlSet', 'task', 'deadUrlSet', 'stats'],
  args: ['max_failures'],
  rest: ['url'],
  reply: z.array(z.enum(['buried', 'already', 'spared'])),
});

export const release = defineScript({
  name: 'release',
  shared: ['clock', 'task', 'lease'],
  keys: ['inFlight', 'taskQueue', 'task', 'stats'],
  args: ['lock_prefix', 'end', 'not_before_ms'],
  rest: ['url', 'token'],
  reply: z.array(z.enum(['released', 'lost'])),
});

export const defer = defineScript({
  name: 'defer',
  shared: ['clock', 'task', 'lease'],
  keys: ['inFlight', 'taskQueue', 'task', 'failUrlZset', 'stats'],
  args: ['lock_prefix', 'url', 'token', 'wait_ms', 'base_ms', 'cap_ms', 'max_ms', 'kind', 'message', 'status', 'node'],
  reply: z.tuple([z.enum(['deferred', 'failed', 'lost']), count]),
});

export const crawlDelay = defineScript({
  name: 'crawl-delay',
  shared: ['clock'],
  keys: ['crawlDelays', 'pace'],
  args: ['origin', 'delay_ms'],
  reply: z.tuple([z.enum(['slower', 'faster', 'same']), count]),
});

export const throttle = defineScript({
  name: 'throttle',
  shared: ['clock', 'task', 'lease', 'pause'],
  keys: ['inFlight', 'taskQueue', 'task', 'failUrlZset', 'pace', 'stats', 'pendingUrlSet'],
  args: [
    'lock_prefix',
    'url',
    'token',
    'retry_after_ms',
    'base_ms',
    'cap_ms',
    'jitter',
    'max_throttles',
    'message',
    'status',
    'node',
  ],
  reply: z.tuple([z.enum(['released', 'failed', 'lost']), count]),
});

export const recover = defineScript({
  name: 'recover',
  shared: ['clock', 'task', 'lease'],
  keys: ['workers', 'inFlight', 'taskQueue', 'task', 'failUrlZset', 'stats'],
  args: ['worker', 'last_sign', 'lock_prefix', 'suspect', 'max_crashes', 'limit'],
  reply: z.tuple([z.enum(['alive', 'recovered']), count, count]),
});

export const requeue = defineScript({
  name: 'requeue',
  shared: ['clock', 'task'],
  keys: ['failUrlZset', 'taskQueue', 'pendingUrlSet', 'task', 'stats'],
  args: ['max_failures', 'limit'],
  reply: z.tuple([count, count]),
});

export const redrive = defineScript({
  name: 'redrive',
  effect: 'adds',
  shared: ['clock'],
  keys: ['deadUrlSet', 'pendingUrlSet', 'taskQueue', 'task', 'stats'],
  args: [],
  rest: ['url'],
  reply: z.array(z.enum(['queued', 'pending', 'not-dead'])),
});

export const forget = defineScript({
  name: 'forget',
  shared: ['clock', 'done'],
  keys: ['doneUrlSet', 'doneBloom'],
  args: [],
  rest: ['url'],
  reply: count,
});

export const remember = defineScript({
  name: 'remember',
  effect: 'adds',
  shared: ['clock', 'done'],
  keys: ['doneUrlSet', 'doneBloom', 'pendingUrlSet', 'deadUrlSet'],
  args: [],
  rest: ['url'],
  reply: count,
});

export const rememberDead = defineScript({
  name: 'remember-dead',
  effect: 'adds',
  shared: ['clock'],
  keys: ['deadUrlSet', 'pendingUrlSet'],
  args: [],
  rest: ['url'],
  reply: count,
});

export const mend = defineScript({
  name: 'mend',
  shared: ['clock', 'task', 'done'],
  keys: ['taskQueue', 'pendingUrlSet', 'doneUrlSet', 'doneBloom', 'deadUrlSet', 'failUrlZset', 'task'],
  args: ['lock_prefix', 'in_flight_prefix', 'exact', 'number_of_workers'],
  rest: ['worker', 'url'],
  reply: z.array(z.enum(['none', 'waiting', 'in-flight', 'pending', 'dead', 'done'])),
});

export const bloomDrop = defineScript({
  name: 'bloom-drop',
  shared: ['clock'],
  keys: ['doneBloom'],
  args: ['month'],
  reply: flat,
});

export const producerRound = defineScript({
  name: 'producer-round',
  shared: ['clock'],
  keys: ['producers'],
  args: ['round', 'action', 'stale_ms'],
  reply: count,
});

export const census = defineScript({
  name: 'census',
  effect: 'reads',
  shared: ['clock', 'done'],
  keys: [
    'taskQueue',
    'pendingUrlSet',
    'doneUrlSet',
    'doneBloom',
    'deadUrlSet',
    'failUrlZset',
    'workers',
    'producers',
    'pace',
    'stats',
  ],
  args: ['stale_ms'],
  reply: z.tuple([count, count, count, count, count, count, count, flat, flat, flat, flat]),
});

export const locate = defineScript({
  name: 'locate',
  effect: 'reads',
  shared: ['clock', 'done'],
  keys: ['taskQueue', 'pendingUrlSet', 'doneUrlSet', 'doneBloom', 'deadUrlSet', 'failUrlZset'],
  args: ['lock_prefix', 'in_flight_prefix', 'number_of_workers'],
  rest: ['worker', 'url'],
  reply: z.array(z.tuple([z.string(), count, count, count, count, z.string(), z.string(), flat])),
});

export const reserve = defineScript({
  name: 'reserve',
  effect: 'adds',
  shared: ['clock', 'pace'],
  keys: ['pace'],
  args: ['rate', 'burst', 'ahead_ms'],
  reply: z.union([z.tuple([z.literal('go'), count]), z.tuple([z.literal('wait'), count, z.string()])]),
});

export const rangeNote = defineScript({
  name: 'range-note',
  shared: ['clock'],
  keys: ['rangeGoods', 'rangeEnds', 'rangeTop', 'stats'],
  args: ['page', 'brought', 'fingerprint', 'since'],
  reply: z.tuple([z.enum(['new', 'repeated', 'early', 'end', 'unexpected']), count]),
});

export const rangeLook = defineScript({
  name: 'range-look',
  effect: 'reads',
  shared: ['clock'],
  keys: ['pendingUrlSet', 'failUrlZset', 'rangeEnds'],
  args: ['since'],
  rest: ['page', 'url'],
  reply: z.array(z.enum(['end', 'waits', 'passed'])),
});
