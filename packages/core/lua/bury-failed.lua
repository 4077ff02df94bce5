-- URLs that failed too often, their story committed to MySQL: failed → dead.
-- KEYS: fail_url_zset pending_url_set task dead_url_set stats
-- ARGV: clock max_failures url...
-- REPLY: {'buried' | 'already' | 'spared', ...}; spared: no longer failed that often (requeued or redriven meanwhile)
local failed, pending, task, dead, stats = unpack(KEYS)
local max_failures = tonumber(ARGV[2])

local reply, buried = {}, {}
for i = 3, #ARGV do
  local url = ARGV[i]
  local score = tonumber(redis.call('ZSCORE', failed, url) or 0)
  if score >= max_failures then
    reply[#reply + 1] = 'buried'
    buried[#buried + 1] = url
  else
    reply[#reply + 1] = redis.call('SISMEMBER', dead, url) == 1 and 'already' or 'spared'
  end
end
for _, url in ipairs(buried) do
  redis.call('ZREM', failed, url)
  redis.call('SREM', pending, url)
  redis.call('HDEL', task, url)
  redis.call('SADD', dead, url)
end
if #buried > 0 then redis.call('HINCRBY', stats, 'dead', #buried) end
return reply
