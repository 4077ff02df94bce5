-- The end of tasks whose rows are committed: in flight → done. Acts only for the token that holds the task.
-- KEYS: in_flight pending_url_set task dead_url_set done_url_set done_bloom pace stats
-- ARGV: clock done lock_prefix (url token final_url rows)...
-- REPLY: {'completed' | 'already' | 'lost', ...} in the order of the tasks
local in_flight, pending, task, dead, done_set, bloom, pace, stats = unpack(KEYS)
local lock_prefix = ARGV[3]
local now = now_ms()
local FIRST = 4

local reply, completed, rows, newest = {}, {}, 0, 0
for i = FIRST, #ARGV, 4 do
  local url, token = ARGV[i], ARGV[i + 1]
  if redis.call('HGET', in_flight, url) == token then
    reply[#reply + 1] = 'completed'
    completed[#completed + 1] = { url, token, ARGV[i + 2] }
    rows = rows + tonumber(ARGV[i + 3])
    newest = math.max(newest, claimed_at(token))
  elseif redis.call('SISMEMBER', pending, url) == 0 and done_has(done_set, bloom, url) then
    reply[#reply + 1] = 'already'
  else
    reply[#reply + 1] = 'lost'
  end
end
if #completed == 0 then return reply end

for _, item in ipairs(completed) do
  redis.call('HDEL', in_flight, item[1])
  drop_lock(lock_prefix .. item[1], item[2])
  redis.call('SREM', pending, item[1])
  redis.call('HDEL', task, item[1])
end
-- A success asked for after the last pause began: the site answers again, the next pause starts small.
if newest > tonumber(redis.call('HGET', pace, 'paused_at') or 0) then redis.call('HDEL', pace, 'level') end
redis.call('HDEL', pace, 'unanswered')
if rows > 0 then redis.call('HDEL', pace, 'barren') end
for _, item in ipairs(completed) do
  done_add(done_set, bloom, item[1], now)
  local final = item[3]
  if final ~= '' and final ~= item[1]
    and redis.call('SISMEMBER', pending, final) == 0 and redis.call('SISMEMBER', dead, final) == 0 then
    if not done_has(done_set, bloom, final) then redis.call('HINCRBY', stats, 'redirected', 1) end
    done_add(done_set, bloom, final, now)
  end
end
redis.call('HINCRBY', stats, 'done', #completed)
redis.call('HINCRBY', stats, 'rows', rows)
return reply
