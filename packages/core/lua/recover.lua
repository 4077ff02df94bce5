-- Puts what a dead worker held back at the right end of the queue and takes the worker off the register.
-- A crash is charged to the page that was being parsed (`suspect`), not to its neighbours.
-- KEYS: workers in_flight task_queue task fail_url_zset stats
-- ARGV: clock worker last_sign lock_prefix suspect max_crashes limit
--       last_sign: the heartbeat that the caller watched standing still; '': the caller knows that the process is dead
-- REPLY: {'alive', 0, 0} | {'recovered', tasks moved, tasks still in flight}
local workers, in_flight, queue, task, failed, stats = unpack(KEYS)
local worker, last_sign, lock_prefix, suspect = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local max_crashes, limit = tonumber(ARGV[6]), tonumber(ARGV[7])
local now = now_ms()
local score = redis.call('ZSCORE', workers, worker)
if last_sign ~= '' and score and tonumber(score) ~= tonumber(last_sign) then return { 'alive', 0, 0 } end

local flat = redis.call('HGETALL', in_flight)
local moved, charged = {}, nil
for i = 1, math.min(#flat, 2 * limit), 2 do
  moved[#moved + 1] = { flat[i], flat[i + 1] }
  if flat[i] == suspect then
    charged = load_task(task, suspect)
    charged.crashes = (charged.crashes or 0) + 1
  end
end
local fails = charged and charged.crashes >= max_crashes
if fails then
  local message = 'the worker died ' .. charged.crashes .. ' times while it parsed this page'
  note_failure(charged, now, 'worker-crash', message, '', worker)
end

for _, item in ipairs(moved) do
  redis.call('HDEL', in_flight, item[1])
  drop_lock(lock_prefix .. item[1], item[2])
  if charged and item[1] == suspect then
    if fails then redis.call('ZADD', failed, charged.failures, suspect) else redis.call('LPUSH', queue, suspect) end
    save_task(task, suspect, charged)
  else
    redis.call('RPUSH', queue, item[1])
  end
end
local left = #flat / 2 - #moved
if left == 0 then redis.call('ZREM', workers, worker) end
if #moved > 0 then redis.call('HINCRBY', stats, 'recovered', #moved) end
if fails then count_failure(stats, 'worker-crash') end
return { 'recovered', #moved, left }
