-- FIXED_WINDOW by the calendar, as io.weir.internal.algorithm.CalendarCounter. A bucket is: the time it was
-- written, the end of its window, permits used in it. Begin and end of the window that a claim names precede
-- its give-backs, with how much earlier callers are told that it ends, and how many permits are known to be
-- used. If the window isn't running, the answer has no life, and the time as its stamp.
alike = false -- each says more
--[[each]]
local now, last, ending, used, open = clock, 0, 0, 0, 0
if kept then
  if #kept ~= 21 then
    break
  end
  last, ending, used = unpack('>I7I7I7', kept)
  if last > now then
    now = last
  end
end
local begin, named, beyond, known = unpack('>I7I7I7I7', claims, backsAt - 28)
if now >= ending then
  if now < begin or now >= named then
    permits, left, stamp, life, retry, reset = 0, 0, now, 0, 0, 0
    break
  end
  ending, used, due = named, 0, named
end
local before = used

for at = backsAt, backsAt + backs * 21 - 1, 21 do
  local itsStamp, unused = unpack('>I7I7', claims, at)
  if itsStamp == ending then
    used = used > unused and used - unused or 0
  end
end
if debt > 0 then
  used = math.min(forever, used + debt)
end
if used < known then
  used = known
end
left = used < limit and limit - used or 0
far = 0 -- nothing is lent for long
--[[grant]]
used, left = used + permits, left - permits
stamp, life = ending, ending - now
local wait = life > beyond and life - beyond or 1000000 -- over, but kept
local wanted = atLeast > 1 and atLeast or 1
retry = left >= wanted and 0 or wanted > limit and window or wait
reset = left == limit and 0 or wait

if used ~= before then
  value = used > 0 and pack('>I7I7I7', now, ending, used) or ''
end
