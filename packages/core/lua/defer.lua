-- Puts a task off, as its site's robots.txt, or a proxy, can't be had: in flight → waiting, after all others, and not before a
-- time that doubles each time. No failure of the URL, until that has gone on for `max_ms`; then each time is one.
-- KEYS: in_flight task_queue task fail_url_zset stats
-- ARGV: clock lock_prefix url token wait_ms base_ms cap_ms max_ms kind message status node
--       wait_ms: what was asked for, at least; 0 where nothing was
-- REPLY: {'deferred', ms until it may be taken} | {'failed', failures} | {'lost', 0}
local in_flight, queue, task, failed, stats = unpack(KEYS)
local lock_prefix, url, token = ARGV[2], ARGV[3], ARGV[4]
local wait, base, cap, max = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local MAX_WAIT_MS = 86400000
local now = now_ms()
if redis.call('HGET', in_flight, url) ~= token then return { 'lost', 0 } end

local record = load_task(task, url)
local since, defers = tonumber(record.deferredSince or now), tonumber(record.defers or 0)
if since > now then since = now end
local too_long = now - since >= max
if too_long then note_failure(record, now, ARGV[9], ARGV[10], ARGV[11], ARGV[12]) end
record.deferredSince = since
record.defers = defers + 1
local delay = math.min(MAX_WAIT_MS, math.max(wait, math.min(cap, base * 2 ^ math.min(defers, 30))))
if not too_long then record.notBefore = now + math.ceil(delay) end

redis.call('HDEL', in_flight, url)
drop_lock(lock_prefix .. url, token)
if too_long then redis.call('ZADD', failed, record.failures, url) else redis.call('LPUSH', queue, url) end
save_task(task, url, record)
if too_long then count_failure(stats, ARGV[9]) else redis.call('HINCRBY', stats, 'deferred', 1) end
if too_long then return { 'failed', record.failures } end
return { 'deferred', math.ceil(delay) }
