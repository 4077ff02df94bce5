-- The site said 429 or 503: the task goes back to the left end of the queue and the site pauses for all nodes.
-- The pause doubles once a pause, not once an answer: answers to requests from before it began only confirm it. A URL
-- that is throttled `max_throttles` times while others pass, or while no other is left that could, fails; so that a few of
-- them can't keep each other alive for ever, it fails after ten times as many in any case.
-- KEYS: in_flight task_queue task fail_url_zset pace stats pending_url_set
-- ARGV: clock lock_prefix url token retry_after_ms base_ms cap_ms jitter max_throttles message status node
--       retry_after_ms: 0 where the answer named none; jitter: 0 to 1, drawn by the caller
-- REPLY: {'released' | 'failed' | 'lost', ms until the site goes on}
local in_flight, queue, task, failed, pace, stats, pending = unpack(KEYS)
local lock_prefix, url, token = ARGV[2], ARGV[3], ARGV[4]
local retry_after, base, cap = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local jitter, max_throttles = tonumber(ARGV[8]), tonumber(ARGV[9])
local now = now_ms()
if redis.call('HGET', in_flight, url) ~= token then return { 'lost', 0 } end

local set = redis.call('HMGET', pace, 'paused_until', 'paused_at', 'level')
local until_ms, level = tonumber(set[1] or 0), tonumber(set[3] or 0)
if until_ms > now + 2 * cap then until_ms = now end
local is_new = claimed_at(token) > tonumber(set[2] or 0)
if is_new then level = level + 1 end
local pause = math.min(cap, retry_after > 0 and retry_after or base * 2 ^ (math.min(level, 30) - 1))
pause = math.ceil(pause * (1 + jitter / 5))
if is_new or retry_after > 0 then until_ms = math.max(until_ms, now + pause) end

local passed = tonumber(redis.call('HGET', stats, 'done') or 0)
local record = load_task(task, url)
local alone = redis.call('SCARD', pending) == 1
if record.passed == nil or passed > record.passed or alone then record.throttles = (record.throttles or 0) + 1 end
record.passed = passed
record.refusals = (record.refusals or 0) + 1
local too_often = record.throttles >= max_throttles or record.refusals >= 10 * max_throttles
if too_often then note_failure(record, now, 'throttled', ARGV[10], ARGV[11], ARGV[12]) end

redis.call('HDEL', in_flight, url)
drop_lock(lock_prefix .. url, token)
if too_often then redis.call('ZADD', failed, record.failures, url) else redis.call('LPUSH', queue, url) end
save_task(task, url, record)
redis.call('HSET', pace, 'paused_until', string.format('%.0f', until_ms), 'level', level, 'reason', ARGV[10])
if is_new then redis.call('HSET', pace, 'paused_at', string.format('%.0f', now)) end
redis.call('HINCRBY', stats, too_often and 'failed' or 'throttled', 1)
return { too_often and 'failed' or 'released', math.max(0, until_ms - now) }
