-- TOKEN_BUCKET with a refill, as io.weir.internal.algorithm.IntervalRefillBucket. The limit of a
-- claim is the refill. It says, by 1 in place of the permits for long, that the bucket is strict.
-- Then the last of its give-backs is none: its stamp is when a node refused last. A bucket is: the
-- time it was written, the end of its step, permits used, how many of them were used right after the
-- last refill, and the refill; and, if refusals have made a step longer, when this one and the one
-- before began.
local shortLength, longLength = 34, 48
alike = false -- each says more
--[[each]]
local refill, strict = limit, far > 0
far = 0
local refused = 0
if strict then
  backs = backs - 1
  refused = unpack('>I7', claims, backsAt + backs * 21)
end
local peeks = needed + extra + debt + backs + refused == 0
local refillBefore = refill -- what came back until now
local now, last, ending, used, refundable, begun, before = clock, 0, 0, 0, 0, 0, 0
if kept then
  if #kept == shortLength then
    last, ending, used, refundable, refillBefore = unpack('>I7I7I7I7I6', kept)
    begun = ending - window
    before = begun - window
  elseif #kept == longLength then
    last, ending, used, refundable, refillBefore, begun, before = unpack('>I7I7I7I7I6I7I7', kept)
  else
    break
  end
  if last > now then
    now = last
  end
  if now >= ending then
    local over = now - ending
    local steps = (over - over % window) / window + 1
    local back = steps * refillBefore
    used = used > back and used - back or 0
    refundable = used
    before = steps == 1 and begun or ending + (steps - 2) * window
    begun = ending + (steps - 1) * window
    ending = begun + window
  end
end
local usedBefore, refundableBefore, endingBefore = used, refundable, ending

if strict then
  refused = refused < now and refused or now
  if used > 0 and ending < refused + window then
    ending = refused + window
  end
end
for at = backsAt, backsAt + backs * 21 - 1, 21 do
  local itsStamp, unused = unpack('>I7I7', claims, at)
  if itsStamp > before and itsStamp <= begun then
    unused = unused < refundable and unused or refundable
    refundable = refundable - unused
    used = used - unused
  elseif itsStamp > begun and itsStamp <= ending then
    used = used > unused and used - unused or 0
    refundable = refundable < used and refundable or used
  end
end
if debt > 0 then
  if used == 0 then
    begun, before, ending, refundable = now, now, now + window, 0
  end
  used = math.min(forever, used + debt)
end
left = used < burst and burst - used or 0
--[[grant]]
if strict and permits < needed and used > 0 and ending < now + window then
  ending = now + window
end
if permits > 0 then
  if used == 0 then
    begun, before, ending, refundable = now, now, now + window, 0
  end
  used, left = used + permits, left - permits
end
stamp = used > 0 and ending or now + window
life = stamp - now

-- When so many more are free than now: at the end of a step.
local wanted = atLeast > 1 and atLeast or 1
retry, reset = 0, 0
if left < burst then
  local missing = used - burst + left + 1 + refill - 1
  local steps = (missing - missing % refill) / refill
  reset = math.min(forever, ending + math.min(forever, (steps - 1) * window) - now)
end
if left < wanted then
  local missing = used - burst + wanted + refill - 1
  local steps = (missing - missing % refill) / refill
  retry = wanted > burst and window
    or math.min(forever, ending + math.min(forever, (steps - 1) * window) - now)
end

if refill ~= refillBefore and not peeks
  or used ~= usedBefore or refundable ~= refundableBefore or ending ~= endingBefore then
  if used > 0 then
    local sum = used + refill - 1
    local steps = (sum - sum % refill) / refill
    due = ending + math.min(forever, (steps - 1) * window)
    value = pack('>I7I7I7I7I6', now, ending, used, refundable, refill)
    if begun ~= ending - window or refundable > 0 and before ~= begun - window then
      value = value .. pack('>I7I7', begun, before)
    end
  elseif kept then
    value = ''
  end
end
