-- The done store as layers of a Bloom filter, in generations by month. Same functions as done-set.lua.
-- ARGV[2]: JSON {errorRate, initialCapacity}. The index Hash `bloom` holds layer → 'capacity:bits:hashes:error:count',
-- a layer's bitmap is at bloom .. ':' .. layer, layers are named <yyyy-mm>.<number>.
--
-- A layer never takes more URLs than it was made for: a new one begins before it overfills. Each new layer gets half of
-- what the others left of the error rate, so that all together stay below it (after Almeida et al., Scalable Bloom
-- Filters, 2007). Positions come from SHA-1 by enhanced double hashing (Dillinger and Manolios, 2004).
local MAX_BITS = 2 ^ 30 -- 128 MiB a layer: allocating more in one step would stall Redis

local function bloom_layers(bloom)
  local flat = redis.call('HGETALL', bloom)
  local layers = {}
  for i = 1, #flat, 2 do
    local capacity, bits, hashes, layer_error, count = string.match(flat[i + 1], '^(%d+):(%d+):(%d+):([^:]+):(%d+)$')
    if capacity then
      layers[#layers + 1] = {
        name = flat[i],
        capacity = tonumber(capacity),
        bits = tonumber(bits),
        hashes = tonumber(hashes),
        error = tonumber(layer_error),
        count = tonumber(count),
      }
    end
  end
  return layers
end

local function bloom_positions(url, bits, hashes)
  local digest = redis.sha1hex(url)
  local x = tonumber(string.sub(digest, 1, 12), 16) % bits
  local y = tonumber(string.sub(digest, 13, 24), 16) % bits
  local positions = {}
  for i = 1, hashes do
    positions[i] = x
    x = (x + y) % bits
    y = (y + i) % bits
  end
  return positions
end

local function layer_has(bloom, layer, url)
  local key = bloom .. ':' .. layer.name
  for _, position in ipairs(bloom_positions(url, layer.bits, layer.hashes)) do
    if redis.call('GETBIT', key, string.format('%.0f', position)) == 0 then return false end
  end
  return true
end

local function done_has(done_set, bloom, url)
  for _, layer in ipairs(bloom_layers(bloom)) do
    if layer_has(bloom, layer, url) then return true end
  end
  return false
end

-- yyyy-mm of a time in ms, UTC (civil from days, Howard Hinnant).
local function month_of(ms)
  local z = math.floor(ms / 86400000) + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d', year, month)
end

-- The layer that takes the next URL: this month's that still has room, else a new one twice as large as the last.
local function open_layer(bloom, layers, now)
  local month = month_of(now)
  local parameters = cjson.decode(ARGV[2])
  local capacity = parameters.initialCapacity
  local left = parameters.errorRate
  local number = 0
  for _, layer in ipairs(layers) do
    left = left - layer.error
    local layer_month, layer_number = string.match(layer.name, '^(.-)%.(%d+)$')
    if layer_month == month then
      if layer.count < layer.capacity then return layer end
      number = math.max(number, tonumber(layer_number) + 1)
      capacity = math.max(capacity, layer.capacity * 2)
    end
  end
  local layer_error = math.max(left / 2, 1e-15)
  local bits_each = -math.log(layer_error) / (math.log(2) ^ 2)
  local bits = math.min(math.ceil(capacity * bits_each), MAX_BITS)
  return {
    name = month .. '.' .. number,
    capacity = math.floor(bits / bits_each),
    bits = bits,
    hashes = math.max(1, math.ceil(-math.log(layer_error) / math.log(2))),
    error = layer_error,
    count = 0,
  }
end

-- Only this month's layers count as having it: a URL crawled again must outlive the generation of its first crawl.
local function done_add(done_set, bloom, url, now)
  local layers = bloom_layers(bloom)
  local generation = month_of(now) .. '.'
  for _, layer in ipairs(layers) do
    if string.sub(layer.name, 1, #generation) == generation and layer_has(bloom, layer, url) then return end
  end
  local layer = open_layer(bloom, layers, now)
  local key = bloom .. ':' .. layer.name
  for _, position in ipairs(bloom_positions(url, layer.bits, layer.hashes)) do
    redis.call('SETBIT', key, string.format('%.0f', position), 1)
  end
  redis.call('HSET', bloom, layer.name,
    string.format('%.0f:%.0f:%d:%.17g:%.0f', layer.capacity, layer.bits, layer.hashes, layer.error, layer.count + 1))
end

-- A Bloom filter cannot forget one URL: whole generations are dropped by bloom-drop.lua.
local function done_remove(done_set, bloom, url)
  return false
end

local function done_count(done_set, bloom)
  local count = 0
  for _, layer in ipairs(bloom_layers(bloom)) do count = count + layer.count end
  return count
end
