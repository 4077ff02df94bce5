-- Puts a worker on the register, with its first sign of life. A worker id is new with each process.
-- KEYS: workers
-- ARGV: clock worker
-- REPLY: now
local now = now_ms()
redis.call('ZADD', KEYS[1], now, ARGV[2])
return now
