-- SLIDING_WINDOW, as io.weir.internal.algorithm.SlidingWindow; also SLIDING_LOG, whose permits are charged
-- to the ends of the same slots and so count for exactly as long. A bucket is: the time it was
-- written, the sum of all permits, the newest slot and its permits; then, the oldest first, the
-- slots before it: the number modulo 256 (they span fewer) and the permits.
local headLength = 25

-- Slots at a time, the same for most claims of a call. They are counted from the beginning of this
-- window, so that no product gets too large.
local slotted, slottedAt
local slots, base, zero, begun, oldest, charged, life
local goneSlot, goneAt

local function begin(slot)
  return base + ceil((slot - zero) * slotted / slots)
end

local function cut(window, now)
  slotted, slottedAt, goneSlot = window, now, nil
  slots = window >= mostSlots * minLife and mostSlots or max(1, floor(window / minLife))
  local number = floor(now / window)
  zero = number * slots
  base = number * window
  local current = zero + floor((now - base) * slots / window)
  begun = begin(current)
  oldest = current - slots
  charged = zero + floor((now + minLife - base) * slots / window)
  life = begin(charged + 1) - now
end

-- From when on a slot isn't counted any more.
local function gone(slot)
  if slot ~= goneSlot then
    goneSlot, goneAt = slot, begin(slot + slots + 1)
  end
  return goneAt
end

-- The last of the slots that Redis keeps as long as this one: up to a quarter of a window longer
-- than it counts, so that a busy bucket seldom needs another time to live.
local function lastAlike(slot)
  local alike = floor(slots / 4) + 1
  return slot - slot % alike + alike - 1
end

-- Where the slot that makes so many permits free, counted from the oldest, is no longer counted.
-- The slots before the newest are in a text from some place on.
local function slotOf(permits, text, first, newest)
  local passed = 0
  for at = first, #text, 7 do
    local number, count = unpack('>BI6', text, at)
    passed = passed + count
    if passed >= permits then
      return newest - (newest - number) % 256
    end
  end
  return newest
end

-- Takes up to so many permits out of a slot before the newest; says how many, and what is left.
local function takeBack(text, first, newest, slot, permits)
  for at = #text - 6, first, -7 do
    local number, count = unpack('>BI6', text, at)
    if newest - (newest - number) % 256 == slot then
      local taken = min(permits, count)
      local rest = taken < count and pack('>BI6', number, count - taken) or ''
      return taken, sub(text, first, at - 1) .. rest .. sub(text, at + 7), 1
    end
  end
  return 0, text, first
end

local function execute(
  key, kept, window, limit, _, needed, atLeast, extra, debt, backsAt, backs)
  local now, last, sum, newest, count, counted = clock, 0, 0, 0, 0, -1
  local older, first = '', 1
  if kept then
    last, sum, newest, count, first = unpack('>I7I6I6I6', kept)
    now = last > now and last or now
    older, counted = kept, newest
  end
  if now ~= slottedAt or window ~= slotted then
    cut(window, now)
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

  local changed = false
  for at = backsAt, backsAt + backs * 14 - 1, 14 do
    local stamp, permits = unpack('>I7I7', claims, at)
    local taken = 0
    if stamp ~= newest then
      taken, older, first = takeBack(older, first, newest, stamp, permits)
    elseif count > 0 then
      taken = min(permits, count)
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

  local permits = 0
  if needed + extra > 0 then
    permits = granted(max(0, limit - sum - debt), needed, atLeast, extra)
  end
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
    count = count + charge
    sum = sum + charge
  end

  if changed then
    local value = pack('>I7I6I6I6', now, sum, newest, count)
    if first < #older then
      value = value .. sub(older, first)
    end
    if not kept then
      make(key, value, gone(lastAlike(newest)))
    elseif sum == 0 then
      call('DEL', key)
    elseif newest == counted or lastAlike(newest) <= lastAlike(counted) then
      rewrite(key, kept, value)
    else
      replace(key, kept, value, gone(lastAlike(newest)))
    end
  end

  local left = sum < limit and limit - sum or 0
  local wanted = atLeast > 1 and atLeast or 1
  local retry, reset = 0, 0
  if left < wanted then
    retry = window
    if wanted <= limit then
      retry = gone(slotOf(sum - limit + wanted, older, first, newest)) - now
    end
  end
  if left < limit then
    local slot = newest
    if first < #older then
      slot = slotOf(sum - limit + left + 1, older, first, newest)
    end
    reset = gone(slot) - now
  end
  return permits, charged, life, left, retry, reset
end
