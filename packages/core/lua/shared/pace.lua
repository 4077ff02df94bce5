-- The rate and burst that hold now: those of the site file, or the rate set by hand (`crawl pace`), but never faster than
-- the Crawl-delay of robots.txt, which knows no bursts.
local function pace_now(rate, burst, by_hand, crawl_delay)
  rate = tonumber(by_hand or rate)
  local delay_ms = tonumber(crawl_delay or 0)
  if delay_ms > 0 and (rate <= 0 or rate > 1000 / delay_ms) then return 1000 / delay_ms, 1 end
  return rate, burst
end
