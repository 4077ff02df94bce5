-- How far the crawl of a range has come.
-- KEYS: pending_url_set fail_url_zset range_ends
-- ARGV: clock since (page url)...
-- REPLY: {'end' | 'waits' | 'passed', ...}; end: noted as beyond the end of the range, at `since` or later
local since = tonumber(ARGV[2])
local reply = {}
for i = 3, #ARGV, 2 do
  local page, url = ARGV[i], ARGV[i + 1]
  local noted = tonumber(redis.call('ZSCORE', KEYS[3], page) or -1)
  if noted >= since then
    reply[#reply + 1] = 'end'
  elseif redis.call('SISMEMBER', KEYS[1], url) == 1 and not redis.call('ZSCORE', KEYS[2], url) then
    reply[#reply + 1] = 'waits'
  else
    reply[#reply + 1] = 'passed'
  end
end
return reply
