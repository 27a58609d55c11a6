-- SLIDING_WINDOW, as io.weir.internal.algorithm.SlidingWindow; also SLIDING_LOG, whose permits are charged
-- to the ends of the same slots and so count for exactly as long. A bucket is: the time it was
-- written, the sum of all permits, the newest slot and its permits; then, the oldest first, the
-- slots before it: the number modulo 256 (they span fewer) and the permits.

-- Slots at a time, the same for most claims of a call: how many a window has, the number of the
-- first one of this window of the clock and when that began, when the current one began, the oldest
-- that counts, the one that is charged and its end. Slots are counted from the beginning of this
-- window, so that no product gets too large: slot s begins at
-- base + (s - zero) * window / slots, rounded up, and stops to count when window / slots more have
-- passed than a window.
local cutWindow, cutAt, slots, zero, base, begun, oldest, charged, chargedEnd
--[[each]]
local now, last, sum, newest, count, counted = clock, 0, 0, 0, 0, -1
local older, first = '', 1
if kept then
  if #kept < 25 or (#kept - 25) % 7 > 0 then
    break
  end
  last, sum, newest, count, first = unpack('>I7I6I6I6', kept)
  if last > now then
    now = last
  end
  older, counted = kept, newest
end

if now ~= cutAt or window ~= cutWindow then
  cutAt, cutWindow = now, window
  slots = window >= mostSlots * minLife and mostSlots or math.max(1, math.floor(window / minLife))
  local into = now % window
  base = now - into
  zero = base / window * slots
  local current = into * slots / window
  current = current - current % 1
  oldest = zero + current - slots
  begun = current * window
  begun = base + (begun + -begun % slots) / slots
  charged = (into + minLife) * slots / window
  charged = charged - charged % 1
  chargedEnd = (charged + 1) * window
  chargedEnd = base + (chargedEnd + -chargedEnd % slots) / slots
  charged = zero + charged
end
stamp, life = charged, chargedEnd - now

if newest < oldest then
  sum, count, older, first = 0, 0, '', 1
elseif last < begun then
  while first < #older do
    local number, permits = unpack('>BI6', older, first)
    if newest - (newest - number) % 256 >= oldest then
      break
    end
    sum = sum - permits
    first = first + 7
  end
end

local changed = false
for at = backsAt, backsAt + backs * 14 - 1, 14 do
  local slot, most = unpack('>I7I7', claims, at)
  local taken = 0
  if slot ~= newest then
    for place = #older - 6, first, -7 do
      local number, permits = unpack('>BI6', older, place)
      if newest - (newest - number) % 256 == slot then
        taken = most < permits and most or permits
        local rest = taken < permits and pack('>BI6', number, permits - taken) or ''
        older, first = sub(older, first, place - 1) .. rest .. sub(older, place + 7), 1
        break
      end
    end
  elseif count > 0 then
    taken = most < count and most or count
    count = count - taken
    if count == 0 and first < #older then
      local number
      number, count = unpack('>BI6', older, #older - 6)
      newest = newest - (newest - number) % 256
      older, first = sub(older, first, -8), 1
    end
  end
  sum = sum - taken
  changed = changed or taken > 0
end

left = sum + debt < limit and limit - sum - debt or 0
--[[grant]]
local charge = permits + debt
if charge > 0 then
  changed = true
  if newest ~= charged then
    if count > 0 then
      older, first = sub(older, first) .. pack('>BI6', newest % 256, count), 1
    end
    newest, count = charged, 0
  end
  if count + charge > mostPermits then
    charge = mostPermits - count
  end
  count, sum = count + charge, sum + charge
end

if changed then
  if sum == 0 and kept then
    value = ''
  else
    value = pack('>I7I6I6I6', now, sum, newest, count)
    if first < #older then
      value = value .. sub(older, first)
    end
    -- Redis keeps it up to a quarter of a window longer than it counts, until the last of so many
    -- slots doesn't count any more; so a busy bucket seldom needs another time to live.
    if newest ~= counted then
      local alike = (slots - slots % 4) / 4 + 1
      local group = newest - newest % alike
      if not kept or group > counted then
        local ending = (group + alike - zero) * window
        due = base + (ending + -ending % slots) / slots + window
      end
    end
  end
end

left = sum < limit and limit - sum or 0
local wanted = atLeast > 1 and atLeast or 1
retry = left < wanted and window or 0
reset = 0
if left < limit then
  -- More is free when the permits beyond the limit and one more, counted from the oldest on, don't
  -- count any more. For a claim that was refused it takes some more of them.
  local more = sum - limit + left + 1
  local enough = retry > 0 and wanted <= limit and sum - limit + wanted or more
  local moreSlot, enoughSlot, passed = newest, newest, 0
  for at = first, #older, 7 do
    local number, permits = unpack('>BI6', older, at)
    local before = passed
    passed = passed + permits
    if passed >= more then
      local slot = newest - (newest - number) % 256
      moreSlot = before < more and slot or moreSlot
      if passed >= enough then
        enoughSlot = slot
        break
      end
    end
  end
  local ending = (moreSlot + 1 - zero) * window
  reset = base + (ending + -ending % slots) / slots + window - now
  if retry > 0 and wanted <= limit then
    ending = (enoughSlot + 1 - zero) * window
    retry = base + (ending + -ending % slots) / slots + window - now
  end
end
