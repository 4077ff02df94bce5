-- Tasks that are beyond help, their story committed to MySQL: in flight → dead.
-- KEYS: in_flight pending_url_set task dead_url_set stats
-- ARGV: clock lock_prefix (url token)...
-- REPLY: {'buried' | 'already' | 'lost', ...} in the order of the tasks
local in_flight, pending, task, dead, stats = unpack(KEYS)
local lock_prefix = ARGV[2]

local reply, buried = {}, {}
for i = 3, #ARGV, 2 do
  local url, token = ARGV[i], ARGV[i + 1]
  if redis.call('HGET', in_flight, url) == token then
    reply[#reply + 1] = 'buried'
    buried[#buried + 1] = { url, token }
  else
    reply[#reply + 1] = redis.call('SISMEMBER', dead, url) == 1 and 'already' or 'lost'
  end
end
for _, item in ipairs(buried) do
  redis.call('HDEL', in_flight, item[1])
  drop_lock(lock_prefix .. item[1], item[2])
  redis.call('SREM', pending, item[1])
  redis.call('HDEL', task, item[1])
  redis.call('SADD', dead, item[1])
end
if #buried > 0 then redis.call('HINCRBY', stats, 'dead', #buried) end
return reply
