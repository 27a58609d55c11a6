-- FIXED_WINDOW, as io.weir.internal.algorithm.FixedWindow. A bucket is: the time it was written, the number
-- of its window, permits used in it; and, if there are any, those in far leases that nobody has
-- accounted for.
--[[each]]
local now, last, counted, used, open = clock, 0, -1, 0, 0
if kept then
  if #kept == 20 then
    last, counted, used = unpack('>I7I6I7', kept)
  elseif #kept == 26 then
    last, counted, used, open = unpack('>I7I6I7I6', kept)
  else
    break
  end
  if last > now then
    now = last
  end
end
local begun = now - now % window
local number = begun / window
life = begun + window - now
if number ~= counted then
  used, open = 0, 0
end
local before, openBefore = used, open

for at = backsAt, backsAt + backs * 21 - 1, 21 do
  local itsStamp, unused, spent = unpack('>I7I7I7', claims, at)
  local isFar = itsStamp % 2
  if (itsStamp - isFar) / 2 == number then
    used = used > unused and used - unused or 0
    if isFar > 0 then
      open = open > unused + spent and open - unused - spent or 0
    end
  end
end
if debt > 0 then
  used = math.min(forever, used + debt)
end
left = used < limit and limit - used or 0
--[[grant]]
used, left = used + permits, left - permits
stamp = 2 * number
local ending = now + life
local wanted = atLeast > 1 and atLeast or 1
retry = left >= wanted and 0 or wanted > limit and window or life
reset = left == limit and 0 or life
if lent then
  stamp, open = stamp + 1, open + permits
  local most = (window - window % 8) / 8
  life = life < most and life or most
end

if used ~= before or open ~= openBefore then
  if used > 0 then
    value = open > 0 and pack('>I7I6I7I6', now, number, used, open)
      or pack('>I7I6I7', now, number, used)
    due = number ~= counted and ending or nil
  else
    value = ''
  end
end
