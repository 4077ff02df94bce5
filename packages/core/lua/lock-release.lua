-- Deletes a lock that is still its owner's.
-- KEYS: lock
-- ARGV: clock token
-- REPLY: 1, or 0 if the lock is gone or somebody else's
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 0 end
return redis.call('DEL', KEYS[1])
