-- Notes what the robots.txt of one host asks for; the longest delay of the site's hosts holds for the site as a whole.
-- KEYS: crawl_delays pace
-- ARGV: clock origin delay_ms        delay_ms: 0 where it asks for none
-- REPLY: {'slower' | 'faster' | 'same', ms since 1970 when the site last became slower by it, 0 for never}
--
-- Tasks claimed before that were given out at a faster pace. From then on the next place is a whole delay away.
local delays, pace = unpack(KEYS)
local origin, delay = ARGV[2], tonumber(ARGV[3])
local MOST_HOSTS = 1000
local now = now_ms()

local set = redis.call('HMGET', pace, 'crawl_delay', 'crawl_delay_at')
local before, since = tonumber(set[1] or 0), tonumber(set[2] or 0)
local known = redis.call('HGET', delays, origin)
local full = not known and redis.call('HLEN', delays) >= MOST_HOSTS
local longest = delay
local all = redis.call('HGETALL', delays)
for i = 1, #all, 2 do
  if all[i] ~= origin then longest = math.max(longest, tonumber(all[i + 1]) or 0) end
end

if delay > 0 and not full then
  redis.call('HSET', delays, origin, delay)
elseif known and delay <= 0 then
  redis.call('HDEL', delays, origin)
end
if longest == before then return { 'same', since } end
if longest < before then
  if longest > 0 then redis.call('HSET', pace, 'crawl_delay', longest) else redis.call('HDEL', pace, 'crawl_delay') end
  return { 'faster', since }
end
redis.call('HSET', pace, 'crawl_delay', longest, 'crawl_delay_at', string.format('%.0f', now),
  'tat', string.format('%.3f', now + longest))
return { 'slower', now }
