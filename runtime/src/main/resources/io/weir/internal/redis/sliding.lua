-- SLIDING_WINDOW, as io.weir.internal.algorithm.SlidingWindow; also SLIDING_LOG, whose permits are charged
-- to the ends of the same slots and so count for exactly as long. A bucket is: the time it was
-- written, the sum of its permits, the newest slot and its permits; then, the oldest first, the
-- slots before it: the number modulo 256 (they span fewer) and the permits.
--
-- Where there are far leases, between the newest slot and those before it are: their permits that
-- nobody has accounted for, the last slot of them, how many slots are to come, and, the nearest
-- first, the number modulo 256 and the permits of each. Those aren't in the sum. Then the length
-- leaves another rest by 7.

-- Slots at a time, the same for most claims of a call: how many a window has, the number of the
-- first one of this window of the clock and when that began, when the current one began, the oldest
-- that counts, the one that is charged and its end. Slot s begins at
-- base + (s - zero) * window / slots, rounded up, and counts until a window after its end; counted
-- from the beginning of this window of the clock no product gets too large.
local cutWindow, cutAt, slots, zero, base, begun, oldest, charged, chargedEnd
--[[each]]
local now, last, sum, newest, count, counted = clock, 0, 0, 0, 0, -1
local older, first = '', 1
local open, lastFar, coming, ahead = 0, 0, '', 0
if kept then
  local rest = #kept % 7
  if #kept < 25 or rest ~= 4 and (rest ~= 3 or #kept < 38) then
    break
  end
  last, sum, newest, count, first = unpack('>I7I6I6I6', kept)
  older, counted = kept, newest
  if rest == 3 then
    local toCome
    open, lastFar, toCome, first = unpack('>I6I6B', kept, 26)
    if #kept < 38 + toCome * 7 then
      break
    end
    first = first + toCome * 7
    coming, counted = sub(kept, 39, first - 1), lastFar
  end
  if last > now then
    now = last
  end
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
if lastFar > 0 then
  if lastFar < oldest then
    open = 0
  end
  local from = 1
  for at = 1, #coming, 7 do
    local number, permits = unpack('>BI6', coming, at)
    local slot = lastFar - (lastFar - number) % 256
    if slot > charged then
      ahead = ahead + permits
    else
      from = at + 7
      if slot >= oldest then
        if count > 0 then
          older, first = sub(older, first) .. pack('>BI6', newest % 256, count), 1
        end
        newest, count, sum = slot, permits, sum + permits
      end
    end
  end
  coming = sub(coming, from)
end

local changed = false
for at = backsAt, backsAt + backs * 21 - 1, 21 do
  local itsStamp, most, spent = unpack('>I7I7I7', claims, at)
  local isFar, taken = itsStamp % 2, 0
  local slot = (itsStamp - isFar) / 2
  if isFar > 0 and slot >= oldest and open > 0 then
    open = open > most + spent and open - most - spent or 0
    changed = true
  end
  if slot > charged then
    -- What was spent of a far lease, was spent by now.
    spent = isFar > 0 and spent or 0
    most = most + spent
    for place = 1, #coming, 7 do
      local number, permits = unpack('>BI6', coming, place)
      if lastFar - (lastFar - number) % 256 == slot then
        taken = most < permits and most or permits
        local rest = taken < permits and pack('>BI6', number, permits - taken) or ''
        coming = sub(coming, 1, place - 1) .. rest .. sub(coming, place + 7)
        break
      end
    end
    ahead = ahead - taken
    changed = changed or taken > 0
    local moved = spent < taken and spent or taken
    if moved > 0 then
      if newest ~= charged then
        if count > 0 then
          older, first = sub(older, first) .. pack('>BI6', newest % 256, count), 1
        end
        newest, count = charged, 0
      end
      if count + moved > mostPermits then
        moved = mostPermits - count
      end
      count, sum = count + moved, sum + moved
    end
  else
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
end

left = sum + ahead + debt < limit and limit - sum - ahead - debt or 0
--[[grant]]
stamp, life = 2 * charged, chargedEnd - now
local charge = permits + debt
if lent then
  local slot = (window - window % 8) / 8
  slot = (now - base + (slot > minLife and slot or minLife)) * slots / window
  slot = slot - slot % 1
  local ending = (slot + 1) * window
  life = base + (ending + -ending % slots) / slots - now
  slot = zero + slot
  stamp, open = 2 * slot + 1, open + permits
  if slot > charged then
    charge = debt
    ahead = ahead + permits
    changed = true
    local count = permits
    if slot == lastFar and coming ~= '' then
      local number, before = unpack('>BI6', coming, #coming - 6)
      if number == slot % 256 then
        coming, count = sub(coming, 1, -8), before + count
      end
    end
    coming = coming .. pack('>BI6', slot % 256, count)
  end
  lastFar = slot
end
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
  if sum + ahead == 0 and kept then
    value = ''
  else
    value = pack('>I7I6I6I6', now, sum, newest, count)
    local latest = newest
    if open > 0 or coming ~= '' then
      value = value .. pack('>I6I6B', open, lastFar, #coming / 7) .. coming
      latest = lastFar
    end
    if first < #older then
      value = value .. sub(older, first)
    end
    -- Redis keeps it up to a quarter of a window longer than it counts, until the last of so many
    -- slots doesn't count any more; so a busy bucket seldom needs another time to live.
    if latest ~= counted then
      local alike = (slots - slots % 4) / 4 + 1
      local group = latest - latest % alike
      if not kept or group > counted then
        local ending = (group + alike - zero) * window
        due = base + (ending + -ending % slots) / slots + window
      end
    end
  end
end

sum = sum + ahead
left = sum < limit and limit - sum or 0
local wanted = atLeast > 1 and atLeast or 1
retry = left < wanted and window or 0
reset = 0
if left < limit then
  -- More is free when the permits beyond the limit and one more, counted from the oldest on, don't
  -- count any more. For a claim that was refused it takes some more of them.
  local more = sum - limit + left + 1
  local enough = retry > 0 and wanted <= limit and sum - limit + wanted or more
  local moreSlot, enoughSlot = newest, newest
  if first < #older or ahead > 0 then
    local passed = 0
    moreSlot, enoughSlot = nil, nil
    for at = first, #older, 7 do
      local number, permits = unpack('>BI6', older, at)
      passed = passed + permits
      if passed >= more then
        local slot = newest - (newest - number) % 256
        moreSlot = moreSlot or slot
        if passed >= enough then
          enoughSlot = slot
          break
        end
      end
    end
    if not enoughSlot then
      passed = passed + count
      moreSlot = moreSlot or passed >= more and newest
      enoughSlot = passed >= enough and newest
    end
    for at = 1, enoughSlot and 0 or #coming, 7 do
      local number, permits = unpack('>BI6', coming, at)
      passed = passed + permits
      if passed >= more then
        local slot = lastFar - (lastFar - number) % 256
        moreSlot = moreSlot or slot
        if passed >= enough then
          enoughSlot = slot
          break
        end
      end
    end
  end
  local ending = ((moreSlot or newest) + 1 - zero) * window
  reset = base + (ending + -ending % slots) / slots + window - now
  if retry > 0 and wanted <= limit then
    ending = ((enoughSlot or newest) + 1 - zero) * window
    retry = base + (ending + -ending % slots) / slots + window - now
  end
end
