-- Puts URLs that are not known yet at the left end of the queue, as far as the site's limits go.
-- KEYS: task_queue pending_url_set dead_url_set task stats done_url_set done_bloom query_variants
-- ARGV: clock done fresh depth may_end high_water max_pages max_depth max_variants path_repeats url...
-- REPLY: {consumed, queued, pending, done, dead, over_pages, over_depth, over_variants}; consumed < number of URLs: the queue
--        reached its high-water mark
--
-- max_pages and max_depth: -1 for no limit. Links (depth > 0) to URLs of one path with several query parameters end at
-- max_variants. path_repeats: how many links the caller has refused itself, to be counted.
local queue, pending, dead, task, stats, done_set, bloom, variants = unpack(KEYS)
local fresh, depth, may_end, high_water = ARGV[3] == '1', tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local max_pages, max_depth, max_variants = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local path_repeats = tonumber(ARGV[10])
local FIRST = 11
local MOST_PATHS = 100000 -- paths watched at a time: bounds the memory that the guard takes

local consumed, in_pending, in_done, in_dead = #ARGV - FIRST + 1, 0, 0, 0
local over_pages, over_depth, over_variants = 0, 0, 0
local room = high_water - redis.call('LLEN', queue)
local added, seen = {}, {}

-- Pages known: where a redirect led is in the done store, but was never a page of its own.
local pages = 0
if max_pages >= 0 then
  pages = redis.call('SCARD', pending) + redis.call('SCARD', dead) + done_count(done_set, bloom)
    - tonumber(redis.call('HGET', stats, 'redirected') or 0)
end

local counts, grown, watched = {}, {}, nil
local function path_of(url)
  local path, query = string.match(url, '^([^?]*)%?(.*)$')
  if depth == 0 or not query or not string.find(query, '&', 1, true) then return nil end
  path = string.sub(redis.sha1hex(path), 1, 16)
  if counts[path] then return path end
  local count = tonumber(redis.call('HGET', variants, path))
  watched = watched or redis.call('HLEN', variants)
  if not count and watched >= MOST_PATHS then return nil end
  if not count then watched = watched + 1 end
  counts[path] = count or 0
  return path
end

for i = FIRST, #ARGV do
  local url = ARGV[i]
  if seen[url] or redis.call('SISMEMBER', pending, url) == 1 then
    in_pending = in_pending + 1
  elseif redis.call('SISMEMBER', dead, url) == 1 then
    in_dead = in_dead + 1
  else
    local is_done = (not fresh or max_pages >= 0) and done_has(done_set, bloom, url)
    if is_done and not fresh then
      in_done = in_done + 1
    elseif max_depth >= 0 and depth > max_depth then
      over_depth = over_depth + 1
    elseif max_pages >= 0 and not is_done and pages >= max_pages then
      over_pages = over_pages + 1
    else
      local path = path_of(url)
      if path and counts[path] >= max_variants then
        over_variants = over_variants + 1
      elseif #added >= room then
        consumed = i - FIRST
        break
      else
        seen[url] = true
        added[#added + 1] = url
        if not is_done then pages = pages + 1 end
        if path then
          counts[path] = counts[path] + 1
          grown[path] = (grown[path] or 0) + 1
        end
      end
    end
  end
end

if #added > 0 then
  redis.call('SADD', pending, unpack(added))
  redis.call('LPUSH', queue, unpack(added))
  if fresh or depth > 0 or may_end then
    local record = cjson.encode({ fresh = fresh or nil, depth = depth > 0 and depth or nil, mayEnd = may_end })
    for _, url in ipairs(added) do redis.call('HSET', task, url, record) end
  end
  for path, count in pairs(grown) do redis.call('HINCRBY', variants, path, count) end
  redis.call('HINCRBY', stats, 'queued', #added)
end
local refused = {
  ['max-pages'] = over_pages,
  ['max-depth'] = over_depth,
  ['query-variants'] = over_variants,
  ['path-repeat'] = path_repeats,
}
for reason, count in pairs(refused) do
  if count > 0 then redis.call('HINCRBY', stats, 'refused:' .. reason, count) end
end
return { consumed, #added, in_pending, in_done, in_dead, over_pages, over_depth, over_variants }
