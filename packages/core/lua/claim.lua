-- Gives up to `limit` tasks to a registered worker, as the site's pace allows, each with a lock and a lease.
-- KEYS: task_queue pending_url_set fail_url_zset task workers pace stats in_flight
-- ARGV: clock worker request limit lease_ms rate burst concurrency ahead_ms lock_prefix
-- REPLY: {'unregistered'} | {'tasks', now, {url, token, delay_ms, task JSON}...} | {'wait', ms, reason, detail} | {'empty'}
--
-- Asked again with the same request number it gives the tasks of the lost reply. URLs that may not be taken now (not
-- before some time, a suspect beside others, a lock that somebody else holds) go round to the left end of the queue. When all
-- that waits has gone round so, nobody looks again before the first of them may be taken, or the queue has changed.
local queue, pending, failed, task, workers, pace, stats, in_flight = unpack(KEYS)
local worker, request, limit, lease_ms = ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local rate, burst, concurrency, ahead_ms = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local lock_prefix = ARGV[10]
local now = now_ms()
local LOOK_PAST = 64 -- how many URLs that can't be taken now a call passes over
local MAX_NOT_BEFORE_MS = 86400000 -- a time further ahead than a day is an error, not a plan
local MAX_PAUSE_MS = 86400000
local MAX_REST_MS = 60000

if not redis.call('ZSCORE', workers, worker) then return { 'unregistered' } end

local reply = { 'tasks', now }
local held = redis.call('HGETALL', in_flight)
local prefix = worker .. ':' .. request .. ':'
for i = 1, #held, 2 do
  if string.sub(held[i + 1], 1, #prefix) == prefix then
    reply[#reply + 1] = { held[i], held[i + 1], 0, redis.call('HGET', task, held[i]) or '' }
  end
end
if #reply > 2 then return reply end
if #held == 2 and (load_task(task, held[1]).crashes or 0) > 0 then return { 'wait', 250, 'suspect', held[1] } end

local set = redis.call('HMGET', pace, 'tat', 'paused_until', 'reason', 'held', 'rate', 'concurrency', 'crawl_delay',
  'rest', 'gone_round')
if set[4] then return { 'wait', 1000, 'paused', set[4] } end
local paused_until = tonumber(set[2] or 0)
if paused_until > now and paused_until <= now + MAX_PAUSE_MS then
  return { 'wait', paused_until - now, 'paused', set[3] or '' }
end
rate, burst = pace_now(rate, burst, set[5], set[7])
concurrency = tonumber(set[6] or concurrency)

local waiting = redis.call('LLEN', queue)
if waiting == 0 then return { 'empty' } end
local rest_until, rest_length = string.match(set[8] or '', '^(%d+):(%d+)$')
rest_until = tonumber(rest_until or 0)
if rest_until > now and rest_until <= now + MAX_REST_MS and tonumber(rest_length) == waiting then
  return { 'wait', math.min(rest_until - now, 1000), 'not-before', tostring(waiting) }
end
local busy = redis.call('SCARD', pending) - waiting - redis.call('ZCARD', failed)
if concurrency > 0 then limit = math.min(limit, concurrency - busy) end
if limit <= 0 then return { 'wait', 50, 'concurrency', tostring(busy) } end

-- GCRA: tat is the theoretical arrival time of the next request (ms, fractions kept).
local interval = rate > 0 and 1000 / rate or 0
local tolerance = (burst - 1) * interval
local tat = tonumber(set[1] or 0)
if tat > now + ahead_ms + (burst + 1) * interval + 1000 then tat = now end

local candidates = redis.call('LRANGE', queue, -(limit + LOOK_PAST), -1)
local taken, passed, examined, soonest, wait_ms = {}, {}, 0, nil, nil
for i = #candidates, 1, -1 do
  if #taken >= limit then break end
  local url = candidates[i]
  local raw = redis.call('HGET', task, url)
  local record = decode_task(raw)
  local not_before = tonumber(record.notBefore) or 0
  local suspect = (record.crashes or 0) > 0
  local slot = math.max(now, tat - tolerance)
  if not_before > now and not_before <= now + MAX_NOT_BEFORE_MS then
    soonest = math.min(soonest or not_before, not_before)
    passed[#passed + 1] = url
  elseif suspect and (#held > 0 or #taken > 0) then
    soonest = math.min(soonest or now + 250, now + 250)
    passed[#passed + 1] = url
  elseif redis.call('EXISTS', lock_prefix .. url) == 1 then
    soonest = math.min(soonest or now + 1000, now + 1000)
    passed[#passed + 1] = url
  elseif interval > 0 and slot > now + ahead_ms then
    wait_ms = slot - now - ahead_ms
    break
  else
    if interval > 0 then tat = math.max(tat, now) + interval end
    taken[#taken + 1] = { url, raw or '', math.max(0, slot - now) }
    if suspect then limit = 1 end
  end
  examined = examined + 1
end

-- Nothing taken and nothing to pass over: the pace says when to come again.
if #taken == 0 and #passed == 0 then return { 'wait', math.ceil(wait_ms or 50), 'pace', tostring(rate) } end

redis.call('LTRIM', queue, 0, -(examined + 1))
if #passed > 0 then redis.call('LPUSH', queue, unpack(passed)) end
for place, item in ipairs(taken) do
  local token = prefix .. place .. '@' .. string.format('%.0f', now)
  redis.call('SADD', pending, item[1]) -- a URL pushed by hand is adopted
  redis.call('HSET', in_flight, item[1], token)
  redis.call('SET', lock_prefix .. item[1], token, 'PX', lease_ms, 'NX')
  reply[#reply + 1] = { item[1], token, math.floor(item[3]), item[2] }
end
if #taken > 0 then
  if interval > 0 then redis.call('HSET', pace, 'tat', string.format('%.3f', tat)) end
  redis.call('HINCRBY', stats, 'claimed', #taken)
  if set[8] or set[9] then redis.call('HDEL', pace, 'rest', 'gone_round') end
  return reply
end
if wait_ms then return { 'wait', math.ceil(wait_ms), 'pace', tostring(rate) } end
-- Only URLs that may not be taken yet were seen; the rest of a long queue is looked at in the next calls. A queue of another
-- length has URLs that did not go round yet.
if waiting > examined then
  local count, length, first = string.match(set[9] or '', '^(%d+):(%d+):(%d+)$')
  local gone_round = #passed
  if tonumber(length) == waiting then
    gone_round = gone_round + tonumber(count)
    soonest = math.min(soonest, tonumber(first))
  end
  if gone_round < waiting then
    redis.call('HSET', pace, 'gone_round', string.format('%d:%d:%.0f', gone_round, waiting, soonest))
    return { 'wait', 1, 'passed-over', tostring(#passed) }
  end
  redis.call('HSET', pace, 'rest', string.format('%.0f:%d', math.min(soonest, now + MAX_REST_MS), waiting))
  redis.call('HDEL', pace, 'gone_round')
end
return { 'wait', math.ceil(math.max(1, math.min((soonest or now) - now, 1000))), 'not-before', tostring(#passed) }
