-- Takes a lock that nobody has, or that the caller has taken already (the reply was lost).
-- KEYS: lock
-- ARGV: clock token ttl_ms
-- REPLY: 1, or 0 if it is somebody else's
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[2] then return 1 end
if holder then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
