-- Brings failed URLs with fewer than `max_failures` failures back to the queue, fewest failures first. One that is no
-- longer pending (done meanwhile) only leaves the ZSet.
-- KEYS: fail_url_zset task_queue pending_url_set task stats
-- ARGV: clock max_failures limit
-- REPLY: {taken out of the ZSet, put in the queue}
local failed, queue, pending, task, stats = unpack(KEYS)
local urls = redis.call('ZRANGEBYSCORE', failed, '-inf', '(' .. ARGV[2], 'WITHSCORES', 'LIMIT', 0, ARGV[3])
local back, out = {}, {}
for i = 1, #urls, 2 do
  local url = urls[i]
  out[#out + 1] = url
  if redis.call('SISMEMBER', pending, url) == 1 then
    local record = load_task(task, url)
    if (record.failures or 0) ~= tonumber(urls[i + 1]) then
      record.failures = tonumber(urls[i + 1])
      back[#back + 1] = { url, record }
    else
      back[#back + 1] = { url }
    end
  end
end
if #out == 0 then return { 0, 0 } end
redis.call('ZREM', failed, unpack(out))
for _, item in ipairs(back) do
  redis.call('LPUSH', queue, item[1])
  if item[2] then save_task(task, item[1], item[2]) end
end
if #back > 0 then redis.call('HINCRBY', stats, 'requeued', #back) end
return { #out, #back }
