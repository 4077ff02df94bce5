-- What must outlive a change of state, one JSON object per URL in the task Hash; nothing is stored for a plain task.
-- Fields: failures, crashes, throttles, passed, refusals, depth, fresh, mayEnd, notBefore (ms), defers, deferredSince (ms), kind, error, status, node, first, last (ms).
local function decode_task(raw)
  if not raw then return {} end
  local ok, record = pcall(cjson.decode, raw)
  if ok and type(record) == 'table' then return record end
  return {}
end

local function load_task(key, url)
  return decode_task(redis.call('HGET', key, url))
end

local function save_task(key, url, record)
  if next(record) == nil then
    redis.call('HDEL', key, url)
  else
    redis.call('HSET', key, url, cjson.encode(record))
  end
end

-- Notes one more failure in the record; the caller writes it and the ZSet.
local function note_failure(record, now, kind, message, status, node)
  record.failures = (record.failures or 0) + 1
  record.kind = kind
  record.error = message
  record.status = tonumber(status) or nil
  record.node = node
  record.first = record.first or now
  record.last = now
  record.notBefore = nil
  record.defers = nil
  record.deferredSince = nil
end

-- One more failure among the site's counters: of all, and of its kind.
local function count_failure(stats, kind)
  redis.call('HINCRBY', stats, 'failed', 1)
  redis.call('HINCRBY', stats, 'failed:' .. kind, 1)
end
