-- Takes the next place in the site's pace for a request that is no task, such as a sitemap.
-- KEYS: pace
-- ARGV: clock rate burst ahead_ms
-- REPLY: {'go', delay_ms}: send it then | {'wait', ms, reason}: ask again then
local now = now_ms()
local rate, burst, ahead_ms = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local MAX_PAUSE_MS = 86400000

local set = redis.call('HMGET', KEYS[1], 'tat', 'paused_until', 'reason', 'held', 'rate', 'crawl_delay')
if set[4] then return { 'wait', 1000, set[4] } end
local paused_until = tonumber(set[2] or 0)
if paused_until > now and paused_until <= now + MAX_PAUSE_MS then return { 'wait', paused_until - now, set[3] or '' } end
rate, burst = pace_now(rate, burst, set[5], set[6])
if rate <= 0 then return { 'go', 0 } end

-- As in claim.lua, but one place further ahead: workers that keep the places of the next `ahead_ms` taken must not
-- shut out who asks for one at a time.
local interval = 1000 / rate
local tat = tonumber(set[1] or 0)
if tat > now + ahead_ms + (burst + 1) * interval + 1000 then tat = now end
local slot = math.max(now, tat - (burst - 1) * interval)
if slot > now + ahead_ms + interval then return { 'wait', math.ceil(slot - now - ahead_ms - interval), 'pace' } end
redis.call('HSET', KEYS[1], 'tat', string.format('%.3f', math.max(tat, now) + interval))
return { 'go', math.ceil(slot - now) }
