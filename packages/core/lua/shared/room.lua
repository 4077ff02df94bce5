-- A full Redis (maxmemory, noeviction) refuses a script whose first write adds, but none that has written before. This
-- removal of nothing is the first: what frees memory in the end must not fail for want of it.
redis.call('DEL', KEYS[1] .. ':')
