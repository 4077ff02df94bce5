-- Writes URLs that MySQL knows as crawled into the done store, but for those pending or dead.
-- KEYS: done_url_set done_bloom pending_url_set dead_url_set
-- ARGV: clock done url...
-- REPLY: number handed to the store
local now = now_ms()
local added = {}
for i = 3, #ARGV do
  local url = ARGV[i]
  if redis.call('SISMEMBER', KEYS[3], url) == 0 and redis.call('SISMEMBER', KEYS[4], url) == 0 then
    added[#added + 1] = url
  end
end
for _, url in ipairs(added) do done_add(KEYS[1], KEYS[2], url, now) end
return #added
