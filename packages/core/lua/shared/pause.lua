-- A pause of the site, for all nodes. It doubles once a pause, not once an answer: what is told of a request from before
-- the present pause began (by its token) only confirms it. One success later the next pause starts small again.

-- What a pause would be; nothing is written yet. `wait`: ms that the site asked for, in place of the doubling, or 0;
-- `jitter`: 0 to 1.
local function plan_pause(pace, now, token, wait, base, cap, jitter)
  local set = redis.call('HMGET', pace, 'paused_until', 'paused_at', 'level')
  local until_ms, level = tonumber(set[1] or 0), tonumber(set[3] or 0)
  if until_ms > now + 2 * cap then until_ms = now end
  local is_new = claimed_at(token) > tonumber(set[2] or 0)
  if is_new then level = level + 1 end
  local length = math.min(cap, wait > 0 and wait or base * 2 ^ (math.min(level, 30) - 1))
  length = math.ceil(length * (1 + jitter / 5))
  if is_new or wait > 0 then until_ms = math.max(until_ms, now + length) end
  return { is_new = is_new, level = level, until_ms = until_ms, left_ms = math.max(0, until_ms - now) }
end

local function begin_pause(pace, now, plan, reason)
  redis.call('HSET', pace, 'paused_until', string.format('%.0f', plan.until_ms), 'level', plan.level, 'reason', reason)
  if plan.is_new then redis.call('HSET', pace, 'paused_at', string.format('%.0f', now)) end
end
