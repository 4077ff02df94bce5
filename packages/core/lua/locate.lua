-- Where URLs stand, all structures read at one moment: for checks, not for work (LPOS walks the queue).
-- KEYS: task_queue pending_url_set done_url_set done_bloom dead_url_set fail_url_zset
-- ARGV: clock done lock_prefix in_flight_prefix number_of_workers worker... url...
-- REPLY: {url, times in the queue, pending, done, dead, score or '', lock's token or '', {worker, token...}} for each URL
local count = tonumber(ARGV[5])
local reply = {}
for i = 6 + count, #ARGV do
  local url = ARGV[i]
  local holders = {}
  for w = 6, 5 + count do
    local token = redis.call('HGET', ARGV[4] .. ARGV[w], url)
    if token then
      holders[#holders + 1] = ARGV[w]
      holders[#holders + 1] = token
    end
  end
  reply[#reply + 1] = {
    url,
    #redis.call('LPOS', KEYS[1], url, 'COUNT', 0),
    redis.call('SISMEMBER', KEYS[2], url),
    done_has(KEYS[3], KEYS[4], url) and 1 or 0,
    redis.call('SISMEMBER', KEYS[5], url),
    redis.call('ZSCORE', KEYS[6], url) or '',
    redis.call('GET', ARGV[3] .. url) or '',
    holders,
  }
end
return reply
