-- The site said 429 or 503: the task goes back to the left end of the queue and the site pauses for all nodes.
-- A URL that is throttled `max_throttles` times while others pass, or while no other is left that could, fails; so that a few of
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

local plan = plan_pause(pace, now, token, retry_after, base, cap, jitter)

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
begin_pause(pace, now, plan, ARGV[10])
if too_often then count_failure(stats, 'throttled') else redis.call('HINCRBY', stats, 'throttled', 1) end
return { too_often and 'failed' or 'released', plan.left_ms }
