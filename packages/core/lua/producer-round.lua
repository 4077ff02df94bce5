-- A producer's round under way: begin, a sign of life while it goes on, end. Consumers that run until all is done wait
-- for rounds, so one whose producer died is forgotten after `stale_ms`.
-- KEYS: producers
-- ARGV: clock round action stale_ms   action: 'touch' or 'end'
-- REPLY: number of rounds under way
local now = now_ms()
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. string.format('%.0f', now - tonumber(ARGV[4])))
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', now + tonumber(ARGV[4])), '+inf')
if ARGV[3] == 'end' then redis.call('ZREM', KEYS[1], ARGV[2]) else redis.call('ZADD', KEYS[1], now, ARGV[2]) end
return redis.call('ZCARD', KEYS[1])
