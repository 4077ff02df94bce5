-- Puts URLs that stand where the invariants do not allow it into one place: in flight before waiting before failed. What is
-- dead or done stays so, unless somebody is at work on it.
-- KEYS: task_queue pending_url_set done_url_set done_bloom dead_url_set fail_url_zset task
-- ARGV: clock done lock_prefix in_flight_prefix exact number_of_workers worker... url...
--       exact: '1' where the done store makes no mistakes (a Set)
-- REPLY: what was done with each URL, in the order of the URLs: 'none' where nothing was wrong
local queue, pending, done_set, bloom, dead, failed, task = unpack(KEYS)
local exact, count = ARGV[5] == '1', tonumber(ARGV[6])

local function leave(url, places)
  if places.waiting > 0 then redis.call('LREM', queue, 0, url) end
  if places.failed then redis.call('ZREM', failed, url) end
  redis.call('SREM', pending, url)
  redis.call('HDEL', task, url)
end

local function mend(url)
  local places = {
    waiting = #redis.call('LPOS', queue, url, 'COUNT', 0),
    failed = redis.call('ZSCORE', failed, url) and true or false,
  }
  local is_pending, is_dead = redis.call('SISMEMBER', pending, url) == 1, redis.call('SISMEMBER', dead, url) == 1
  local lock = redis.call('GET', ARGV[3] .. url)
  local holders = {}
  for w = 7, 6 + count do
    local token = redis.call('HGET', ARGV[4] .. ARGV[w], url)
    if token then holders[#holders + 1] = { ARGV[4] .. ARGV[w], token } end
  end
  local known = is_pending or places.waiting > 0 or places.failed
  if #holders == 0 and is_dead and known then
    leave(url, places)
    return 'dead'
  end
  if #holders == 0 and exact and known and not load_task(task, url).fresh and done_has(done_set, bloom, url) then
    leave(url, places)
    return 'done'
  end

  local outcome = 'none'
  if #holders > 0 then
    local keeper = holders[1]
    for _, holder in ipairs(holders) do if holder[2] == lock then keeper = holder end end
    for _, holder in ipairs(holders) do
      if holder ~= keeper then
        redis.call('HDEL', holder[1], url)
        outcome = 'in-flight'
      end
    end
    if lock and lock ~= keeper[2] then
      redis.call('DEL', ARGV[3] .. url)
      outcome = 'in-flight'
    end
    if places.waiting > 0 then redis.call('LREM', queue, 0, url) end
    if places.failed then redis.call('ZREM', failed, url) end
    if is_dead then redis.call('SREM', dead, url) end
    if places.waiting > 0 or places.failed or is_dead then outcome = 'in-flight' end
  elseif places.waiting > 0 then
    if places.waiting > 1 then redis.call('LREM', queue, places.waiting - 1, url) end
    if places.failed then redis.call('ZREM', failed, url) end
    if places.waiting > 1 or places.failed then outcome = 'waiting' end
  elseif not places.failed and is_pending then
    redis.call('LPUSH', queue, url)
    outcome = 'waiting'
  end
  if not is_pending and (#holders > 0 or places.waiting > 0 or places.failed) then
    redis.call('SADD', pending, url)
    if outcome == 'none' then outcome = 'pending' end
  end
  return outcome
end

local reply = {}
for i = 7 + count, #ARGV do reply[#reply + 1] = mend(ARGV[i]) end
return reply
