-- A token is <worker>:<request>:<place>@<ms of the claim>; it is made by claim and by nothing else.
local function claimed_at(token)
  return tonumber(string.match(token, '@(%d+)$')) or 0
end

-- Takes the lock away, if it is this token's: a lock that somebody else set is not ours to delete.
local function drop_lock(key, token)
  if redis.call('GET', key) == token then redis.call('DEL', key) end
end
