-- Puts URLs that are not known yet at the left end of the queue.
-- KEYS: task_queue pending_url_set dead_url_set task stats done_url_set done_bloom
-- ARGV: clock done fresh depth high_water url...
-- REPLY: {consumed, queued, pending, done, dead}; consumed < number of URLs: the queue reached its high-water mark
local queue, pending, dead, task, stats, done_set, bloom = unpack(KEYS)
local fresh, depth, high_water = ARGV[3] == '1', tonumber(ARGV[4]), tonumber(ARGV[5])
local FIRST = 6

local consumed, in_pending, in_done, in_dead = #ARGV - FIRST + 1, 0, 0, 0
local room = high_water - redis.call('LLEN', queue)
local added, seen = {}, {}
for i = FIRST, #ARGV do
  local url = ARGV[i]
  if seen[url] or redis.call('SISMEMBER', pending, url) == 1 then
    in_pending = in_pending + 1
  elseif redis.call('SISMEMBER', dead, url) == 1 then
    in_dead = in_dead + 1
  elseif not fresh and done_has(done_set, bloom, url) then
    in_done = in_done + 1
  elseif #added >= room then
    consumed = i - FIRST
    break
  else
    seen[url] = true
    added[#added + 1] = url
  end
end

if #added > 0 then
  redis.call('SADD', pending, unpack(added))
  redis.call('LPUSH', queue, unpack(added))
  if fresh or depth > 0 then
    local record = cjson.encode({ fresh = fresh or nil, depth = depth > 0 and depth or nil })
    for _, url in ipairs(added) do redis.call('HSET', task, url, record) end
  end
  redis.call('HINCRBY', stats, 'queued', #added)
end
return { consumed, #added, in_pending, in_done, in_dead }
