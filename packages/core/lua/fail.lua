-- A task that failed waits in the ZSet for a retry; its score is the number of its failures.
-- After `barren_limit` pages in a row without the goods that were expected the site is held: a changed layout must not
-- burn through a whole queue.
-- KEYS: in_flight fail_url_zset task pace stats
-- ARGV: clock lock_prefix url token kind message status node barren_limit
-- REPLY: {'failed', failures} | {'already', 0} (the same call came twice) | {'lost', 0}
local in_flight, failed, task, pace, stats = unpack(KEYS)
local lock_prefix, url, token = ARGV[2], ARGV[3], ARGV[4]
local now = now_ms()

local record = load_task(task, url)
if redis.call('HGET', in_flight, url) ~= token then
  local again = record.token == token and redis.call('ZSCORE', failed, url)
  return { again and 'already' or 'lost', 0 }
end
note_failure(record, now, ARGV[5], ARGV[6], ARGV[7], ARGV[8])
record.token = token

redis.call('HDEL', in_flight, url)
drop_lock(lock_prefix .. url, token)
redis.call('ZADD', failed, record.failures, url)
save_task(task, url, record)
redis.call('HINCRBY', stats, 'failed', 1)
if ARGV[5] == 'no-goods' then
  local barren = redis.call('HINCRBY', pace, 'barren', 1)
  if barren >= tonumber(ARGV[9]) then
    redis.call('HSETNX', pace, 'held', 'no goods on ' .. barren .. ' pages in a row: has the layout changed?')
  end
end
return { 'failed', record.failures }
