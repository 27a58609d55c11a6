-- SLIDING_WINDOW, as io.weir.algorithm.SlidingWindow; also SLIDING_LOG, whose permits are charged
-- to the ends of the same slots and so count for exactly as long. A bucket is: the time it was
-- written, the sum of all permits, the newest slot and its permits; then, the oldest first, the
-- slots before it: the number modulo 256 (they span fewer) and the permits.

-- Where the slot that makes so many permits free, counted from the oldest, is no longer counted.
local function slotOf(permits, older, newest)
  local gone = 0
  for at = 1, #older, 7 do
    local number, count = unpack('>BI6', older, at)
    gone = gone + count
    if gone >= permits then
      return newest - (newest - number) % 256
    end
  end
  return newest
end

-- Takes up to so many permits out of a slot before the newest; says how many.
local function takeBack(older, newest, slot, permits)
  for at = #older - 6, 1, -7 do
    local number, count = unpack('>BI6', older, at)
    if newest - (newest - number) % 256 == slot then
      local taken = min(permits, count)
      local rest = taken < count and pack('>BI6', number, count - taken) or ''
      return sub(older, 1, at - 1) .. rest .. sub(older, at + 7), taken
    end
  end
  return older, 0
end

local function settle(key, claim)
  local window, capacity, _, needed, atLeast, extra, owed = decode(claim)
  local kept = call('GET', key)
  local now, sum, newest, count, older = clock, 0, 0, 0, ''
  local first, counted = 26, -1
  if kept then
    local last
    last, sum, newest, count = unpack('>I7I6I6I6', kept)
    now = last > now and last or now
    counted = newest
  end

  -- Slots are counted from the beginning of this window, so that no product gets too large.
  local slots = window >= 60 * minLife and 60 or max(1, floor(window / minLife))
  local base = floor(now / window)
  local zero = base * slots
  base = base * window
  local oldest = zero + floor((now - base) * slots / window) - slots
  local charged = zero + floor((now + minLife - base) * slots / window)

  if newest < oldest then
    sum, count = 0, 0
  elseif kept then
    local length = #kept
    while first < length do
      local number, permits = unpack('>BI6', kept, first)
      if newest - (newest - number) % 256 >= oldest then
        break
      end
      sum = sum - permits
      first = first + 7
    end
    older = sub(kept, first)
  end

  local changed = false
  for at = 44, #claim, 14 do
    local stamp, permits = unpack('>I7I7', claim, at)
    local taken = 0
    if stamp ~= newest then
      older, taken = takeBack(older, newest, stamp, permits)
    elseif count > 0 then
      taken = min(permits, count)
      count = count - taken
      if count == 0 and older ~= '' then
        local number
        number, count = unpack('>BI6', older, #older - 6)
        newest = newest - (newest - number) % 256
        older = sub(older, 1, -8)
      end
    end
    sum = sum - taken
    changed = changed or taken > 0
  end

  local permits = granted(max(0, capacity - sum - owed), needed, atLeast, extra)
  if permits + owed > 0 then
    changed = true
    if newest ~= charged then
      if count > 0 then
        older = older .. pack('>BI6', newest % 256, count)
      end
      newest, count = charged, 0
    end
    local added = min(permits + owed, mostPermits - count)
    count = count + added
    sum = sum + added
  end

  local function gone(slot)
    return base + ceil((slot + slots + 1 - zero) * window / slots)
  end
  if changed then
    if sum == 0 then
      call('DEL', key)
    else
      local value = pack('>I7I6I6I6', now, sum, newest, count) .. older
      if newest <= counted then
        rewrite(key, value)
      else
        keep(key, value, gone(newest))
      end
    end
  end

  local left = max(0, capacity - sum)
  local wanted = max(1, atLeast)
  local retry, reset = 0, 0
  if left < wanted then
    retry = window
    if wanted <= capacity then
      retry = gone(slotOf(sum - capacity + wanted, older, newest)) - now
    end
  end
  if left < capacity then
    reset = gone(slotOf(sum - capacity + left + 1, older, newest)) - now
  end
  local life = base + ceil((charged + 1 - zero) * window / slots) - now
  return permits, charged, life, left, retry, reset
end
