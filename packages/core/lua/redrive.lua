-- An operator gives dead URLs another chance: dead → waiting, with a clean record.
-- KEYS: dead_url_set pending_url_set task_queue task stats
-- ARGV: clock url...
-- REPLY: {'queued' | 'pending' | 'not-dead', ...} in the order of the URLs
local dead, pending, queue, task, stats = unpack(KEYS)
local reply, back = {}, {}
for i = 2, #ARGV do
  local url = ARGV[i]
  if redis.call('SISMEMBER', dead, url) == 0 then
    reply[#reply + 1] = redis.call('SISMEMBER', pending, url) == 1 and 'pending' or 'not-dead'
  else
    reply[#reply + 1] = 'queued'
    back[#back + 1] = url
  end
end
for _, url in ipairs(back) do
  redis.call('SREM', dead, url)
  redis.call('HDEL', task, url)
  redis.call('SADD', pending, url)
  redis.call('LPUSH', queue, url)
end
if #back > 0 then redis.call('HINCRBY', stats, 'redriven', #back) end
return reply
