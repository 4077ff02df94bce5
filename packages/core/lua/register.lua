-- Puts a worker on the register, with its first sign of life. A worker id is new with each process.
-- KEYS: workers
-- ARGV: clock worker
-- REPLY: now
local now = now_ms()
redis.call('ZREM', KEYS[1], ARGV[2]) -- a removal first: a full Redis refuses a script that begins to write with an addition
redis.call('ZADD', KEYS[1], now, ARGV[2])
return now
