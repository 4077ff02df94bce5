-- Gives tasks back unharmed: in flight → waiting. Not counted as a failure.
-- KEYS: in_flight task_queue task stats
-- ARGV: clock lock_prefix end not_before_ms (url token)...   end: 'next' (taken next) or 'last' (after all others)
-- REPLY: {'released' | 'lost', ...} in the order of the tasks
local in_flight, queue, task, stats = unpack(KEYS)
local lock_prefix, push, delay_ms = ARGV[2], ARGV[3] == 'next' and 'RPUSH' or 'LPUSH', tonumber(ARGV[4])
local now = now_ms()

local reply, released = {}, {}
for i = 5, #ARGV, 2 do
  local url, token = ARGV[i], ARGV[i + 1]
  if redis.call('HGET', in_flight, url) == token then
    reply[#reply + 1] = 'released'
    released[#released + 1] = { url, token }
  else
    reply[#reply + 1] = 'lost'
  end
end
for _, item in ipairs(released) do
  redis.call('HDEL', in_flight, item[1])
  drop_lock(lock_prefix .. item[1], item[2])
  redis.call(push, queue, item[1])
  if delay_ms > 0 then
    local record = load_task(task, item[1])
    record.notBefore = now + delay_ms
    save_task(task, item[1], record)
  end
end
if #released > 0 then redis.call('HINCRBY', stats, 'released', #released) end
return reply
