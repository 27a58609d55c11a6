-- FIXED_WINDOW, as io.weir.internal.algorithm.FixedWindow. A bucket is: the time it was written, the number
-- of its window, permits used in it.
--[[each]]
local now, last, counted, used = clock, 0, -1, 0
if kept then
  if #kept ~= 20 then
    break
  end
  last, counted, used = unpack('>I7I6I7', kept)
  if last > now then
    now = last
  end
end
local begun = now - now % window
stamp, life = begun / window, begun + window - now
if stamp ~= counted then
  used = 0
end
local before = used

for at = backsAt, backsAt + backs * 14 - 1, 14 do
  local number, permits = unpack('>I7I7', claims, at)
  if number == stamp then
    used = used > permits and used - permits or 0
  end
end
if debt > 0 then
  used = math.min(forever, used + debt)
end
left = used < limit and limit - used or 0
--[[grant]]
used, left = used + permits, left - permits

if used ~= before then
  if used > 0 then
    value = pack('>I7I6I7', now, stamp, used)
    due = stamp ~= counted and now + life or nil
  else
    value = ''
  end
end
local wanted = atLeast > 1 and atLeast or 1
retry = left >= wanted and 0 or wanted > limit and window or life
reset = left == limit and 0 or life
