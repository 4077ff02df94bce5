-- Time of the script in ms: Redis' own, or the one a test injects as ARGV[1] ('' in production).
-- Times of nodes are never used: their clocks may be wrong by hours.
local function now_ms()
  if ARGV[1] ~= '' then return tonumber(ARGV[1]) end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
