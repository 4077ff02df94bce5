-- A task that failed waits in the ZSet for a retry; its score is the number of its failures.
-- After `barren_limit` pages in a row without the goods that were expected, or with a module that failed on them, the site
-- is held: a changed layout must not burn through a whole queue. Nor must a site that is down: after `away_limit` requests
-- in a row without a good answer it pauses.
-- KEYS: in_flight fail_url_zset task pace stats
-- ARGV: clock lock_prefix url token kind message status node barren_limit away away_limit base_ms cap_ms jitter
--       away: 1 where the site gave no answer, or one that tells of its own trouble; base_ms, cap_ms: of the pause
-- REPLY: {'failed', failures, ms of the pause that begins with it, or 0, why the site is held from now on, or ''}
--        | {'already', 0, 0, ''} (the same call came twice) | {'lost', 0, 0, ''}
local in_flight, failed, task, pace, stats = unpack(KEYS)
local lock_prefix, url, token, kind, message = ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local barren_limit, away, away_limit = tonumber(ARGV[9]), ARGV[10] == '1', tonumber(ARGV[11])
local base, cap, jitter = tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14])
local now = now_ms()

local record = load_task(task, url)
if redis.call('HGET', in_flight, url) ~= token then
  local again = record.token == token and redis.call('ZSCORE', failed, url)
  return { again and 'already' or 'lost', 0, 0, '' }
end
note_failure(record, now, kind, message, ARGV[7], ARGV[8])
record.token = token
local unanswered = away and tonumber(redis.call('HGET', pace, 'unanswered') or 0) + 1 or 0
local plan = unanswered >= away_limit and plan_pause(pace, now, token, 0, base, cap, jitter) or nil

redis.call('HDEL', in_flight, url)
drop_lock(lock_prefix .. url, token)
redis.call('ZADD', failed, record.failures, url)
save_task(task, url, record)
count_failure(stats, kind)
local held = ''
if kind == 'no-goods' or kind == 'module' then
  local barren = redis.call('HINCRBY', pace, 'barren', 1)
  local what = kind == 'module' and 'the module failed' or 'no goods'
  local reason = what .. ' on ' .. barren .. ' pages in a row: has the layout changed?'
  if barren >= barren_limit and redis.call('HSETNX', pace, 'held', reason) == 1 then held = reason end
end
if away then redis.call('HSET', pace, 'unanswered', unanswered) else redis.call('HDEL', pace, 'unanswered') end
if plan then
  local count = unanswered .. ' requests in a row'
  begin_pause(pace, now, plan, 'no good answer to ' .. count .. ' (the last: ' .. kind .. ', ' .. message .. ')')
end
return { 'failed', record.failures, plan and plan.is_new and plan.left_ms or 0, held }
