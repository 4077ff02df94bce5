-- The done store as a Set: exact. The functions of this file are the seam: done-bloom.lua has the same ones.
-- ARGV[2] (parameters of the store) is not used here.
local function done_has(done_set, bloom, url)
  return redis.call('SISMEMBER', done_set, url) == 1
end

local function done_add(done_set, bloom, url, now)
  redis.call('SADD', done_set, url)
end

-- Tells whether the store could forget the URL.
local function done_remove(done_set, bloom, url)
  return redis.call('SREM', done_set, url) == 1
end

local function done_count(done_set, bloom)
  return redis.call('SCARD', done_set)
end
