-- Drops the Bloom generations of months before `month` (yyyy-mm).
-- KEYS: done_bloom
-- ARGV: clock month
-- REPLY: name of each layer dropped
local dropped = {}
for _, layer in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(layer, 1, 7) < ARGV[2] then dropped[#dropped + 1] = layer end
end
for _, layer in ipairs(dropped) do
  redis.call('UNLINK', KEYS[1] .. ':' .. layer)
  redis.call('HDEL', KEYS[1], layer)
end
return dropped
