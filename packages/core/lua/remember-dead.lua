-- Writes URLs that MySQL knows as given up into the dead set, but for those pending.
-- KEYS: dead_url_set pending_url_set
-- ARGV: clock url...
-- REPLY: number that were not there yet
local fresh = {}
for i = 2, #ARGV do
  if redis.call('SISMEMBER', KEYS[2], ARGV[i]) == 0 then fresh[#fresh + 1] = ARGV[i] end
end
local added = 0
for _, url in ipairs(fresh) do added = added + redis.call('SADD', KEYS[1], url) end
return added
