-- Notes what a list page of a range brought, to find the pages beyond its end: those that answer with the goods of an
-- earlier page, with none, or not at all.
-- KEYS: range_goods range_ends range_top stats
-- ARGV: clock page brought fingerprint since
-- REPLY: {'new', superseded} | {'repeated', earlier} | {'early', top} | {'end', top} | {'unexpected', top};
--        0 for no page
--
-- brought: 'goods', 'empty' or 'missing'. since: when the round began that may end here; 0 for one that may not.
-- superseded: a later page that was taken as new, and repeats this one. early: look again in a while; pages before it may
-- still be under way, and a list may be empty by mistake. unexpected: nothing, but not beyond the end.
local goods, ends, top, stats = unpack(KEYS)
local page, brought, fingerprint, since = tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])
local now = now_ms()
local AGAIN_MS = 1000 -- between the two looks at an empty page, at least
local MOST = 10000 -- pages kept; what is dropped lies far from the end of the range

local function mark(number, reason)
  if redis.call('ZADD', ends, now, number) == 1 then redis.call('HINCRBY', stats, reason, 1) end
  redis.call('ZREMRANGEBYRANK', ends, 0, -MOST - 1)
end

local seen = redis.call('HMGET', top, 'page', 'at')
local top_page = tonumber(seen[1] or 0)
if tonumber(seen[2] or 0) < since then top_page = 0 end -- of a round before this one

local first_look = 'empty:' .. page
if brought ~= 'goods' then
  if brought == 'empty' then
    local looked = tonumber(redis.call('HGET', top, first_look) or -1)
    if looked < since or looked > now then
      redis.call('HSET', top, first_look, now)
      return { 'early', top_page }
    end
    if now - looked < AGAIN_MS then return { 'early', top_page } end
    redis.call('HDEL', top, first_look)
    if top_page == 0 then return { 'unexpected', 0 } end -- nothing but empty pages: that is no end
  end
  if page < top_page then return { 'unexpected', top_page } end
  mark(page, brought)
  return { 'end', top_page }
end
redis.call('HDEL', top, first_look)

local earlier = tonumber(redis.call('ZSCORE', goods, fingerprint) or 0)
for _, old in ipairs(redis.call('ZRANGEBYSCORE', goods, page, page)) do
  if old ~= fingerprint then redis.call('ZREM', goods, old) end -- the page no longer has those
end
if earlier > 0 and earlier < page then
  mark(page, 'repeated')
  return { 'repeated', earlier }
end
redis.call('ZADD', goods, page, fingerprint)
-- The lowest stays: some shops answer with their first page.
if redis.call('ZCARD', goods) > MOST then redis.call('ZREMRANGEBYRANK', goods, 1, -MOST) end
redis.call('ZREM', ends, page)
if page >= top_page then redis.call('HSET', top, 'page', page, 'at', now) end
if earlier > page then mark(earlier, 'repeated') end
return { 'new', earlier > page and earlier or 0 }
