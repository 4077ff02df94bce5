-- Takes archived URLs out of the done store.
-- KEYS: done_url_set done_bloom
-- ARGV: clock done url...
-- REPLY: number removed (a Bloom filter removes none: see bloom-drop)
local removed = 0
for i = 3, #ARGV do
  if done_remove(KEYS[1], KEYS[2], ARGV[i]) then removed = removed + 1 end
end
return removed
