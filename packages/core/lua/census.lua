-- All figures of a site at one moment. No scan: each is O(1) or bounded by the number of workers.
-- KEYS: task_queue pending_url_set done_url_set done_bloom dead_url_set fail_url_zset workers producers pace stats
-- ARGV: clock done stale_ms
-- REPLY: {now, waiting, pending, done, dead, failed, rounds, {worker, last sign...}, {pace field, value...},
--         {counter, value...}, {bloom layer, description...}}
local now = now_ms()
local rounds = redis.call('ZCOUNT', KEYS[8], string.format('%.0f', now - tonumber(ARGV[3])), '+inf')
return {
  now,
  redis.call('LLEN', KEYS[1]),
  redis.call('SCARD', KEYS[2]),
  done_count(KEYS[3], KEYS[4]),
  redis.call('SCARD', KEYS[5]),
  redis.call('ZCARD', KEYS[6]),
  rounds,
  redis.call('ZRANGE', KEYS[7], 0, -1, 'WITHSCORES'),
  redis.call('HGETALL', KEYS[9]),
  redis.call('HGETALL', KEYS[10]),
  redis.call('HGETALL', KEYS[4]),
}
