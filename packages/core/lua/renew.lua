-- A sign of life of a worker, and of the tasks that it says it holds: their locks are extended. What stands in flight
-- and is not held (the reply to its claim was lost for good) goes back to the right end of the queue after `grace_ms`.
-- KEYS: workers in_flight task_queue stats
-- ARGV: clock worker lease_ms grace_ms lock_prefix (url token)...
-- REPLY: {'unregistered'} | {'renewed', number put back, url of a lost task...}
local workers, in_flight, queue, stats = unpack(KEYS)
local worker, lease_ms, grace_ms, lock_prefix = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local now = now_ms()
if not redis.call('ZSCORE', workers, worker) then return { 'unregistered' } end

local stored, orphans, reply = {}, {}, { 'renewed', 0 }
local flat = redis.call('HGETALL', in_flight)
for i = 1, #flat, 2 do stored[flat[i]] = flat[i + 1] end
local kept = {}
for i = 6, #ARGV, 2 do
  local url, token = ARGV[i], ARGV[i + 1]
  if stored[url] == token then kept[url] = token else reply[#reply + 1] = url end
end
for url, token in pairs(stored) do
  local age = now - claimed_at(token)
  -- an age below zero: Redis' clock was set back; wait no longer than for a new one
  if not kept[url] and (age > grace_ms or age < -grace_ms) then orphans[#orphans + 1] = { url, token } end
end

redis.call('ZADD', workers, 'XX', now, worker)
for _, orphan in ipairs(orphans) do
  redis.call('HDEL', in_flight, orphan[1])
  drop_lock(lock_prefix .. orphan[1], orphan[2])
  redis.call('RPUSH', queue, orphan[1])
end
for url, token in pairs(kept) do redis.call('SET', lock_prefix .. url, token, 'PX', lease_ms) end
if #orphans > 0 then redis.call('HINCRBY', stats, 'unheld', #orphans) end
reply[2] = #orphans
return reply
