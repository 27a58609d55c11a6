-- TOKEN_BUCKET and LEAKY_BUCKET, as io.weir.internal.algorithm.LevelBucket. A bucket is: the time it was
-- written, the time until which Redis keeps it, the time the level is true at, the level, limit
-- and burst in force; all of whose permits were charged together, and nothing has drained ahead, if
-- one byte follows. If not, the parts of the level, the first stamp that may be given again, the
-- newest stamp and its permits, and the permits and parts that have drained ahead follow; then, if
-- there are older ones, the sum of all and, the oldest first, the stamps and permits before it.
local shortLength, longLength = 41, 80

-- An older bucket doesn't say what has drained ahead, so all that may have counts as used.
local oldShortLength, oldLongLength = 40, 66

local mostOlder = 31 -- with the newest 32

local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min

-- a * b / divisor, rounded down, and what it leaves over. Exact below 2^52; above that only what
-- the quotient is roughly, which is all that who compares it needs. b is below 2^49 and the divisor
-- below 2^45: so the long division goes by seven bits of b at a time.
local function divide(a, b, divisor)
  local product = a * b
  if product < forever then
    local quotient = floor(product / divisor)
    return quotient, product - quotient * divisor
  end
  local whole = floor(a / divisor)
  a = a - whole * divisor
  whole = whole * b
  local quotient, rest = 0, 0
  local unit = 4398046511104 -- 2^42
  while unit >= 1 do
    local digit = floor(b / unit)
    b = b - digit * unit
    rest = rest * 128 + a * digit
    local more = floor(rest / divisor)
    rest = rest - more * divisor
    quotient = quotient * 128 + more
    unit = unit / 128
  end
  return whole + quotient, rest
end

-- The bucket of the claim that is being executed.
local window, limit, burst
local at, level, parts, ahead, aheadParts, open
local newest, count, older, sum

local function slotLength()
  if burst == limit then
    return window >= mostSlots * minLife and floor(window / mostSlots) or minLife
  end
  local full = divide(burst, window, limit)
  return max(minLife, min(window, floor(full / mostSlots)))
end

-- How long after at this many permits and the parts have drained.
local function drained(permits)
  local quotient, rest = divide(permits, window, limit)
  return min(forever, quotient + floor((rest + parts + limit - 1) / limit))
end

-- Moves the level on to a later time, or to the time at which the bucket was empty.
local function sink(to)
  if to <= at or level == 0 and parts == 0 then
    return
  end
  local permits, rest = divide(to - at, limit, window)
  permits = level - permits
  rest = parts - rest
  if rest < 0 then
    permits = permits - 1
    rest = rest + window
  end
  if permits < 0 then
    at = at + drained(level)
    level, parts = 0, 0
  else
    at, level, parts = to, permits, rest
  end
end

-- Moves the level on to a time that has come. What has drained ahead is then at most what can still
-- drain until the time of the level.
local function sinkTo(now)
  if at < now then
    sink(now)
  end
  if at <= now then
    ahead, aheadParts = 0, 0
  elseif ahead > 0 or aheadParts > 0 then
    local permits, rest = divide(at - now, limit, window)
    if permits < ahead or permits == ahead and rest < aheadParts then
      ahead, aheadParts = permits, rest
    end
  end
end

-- Moves the level on to a time to come.
local function sinkAhead(to)
  local permits, rest = level, parts
  sink(to)
  ahead, aheadParts = ahead + permits - level, aheadParts + rest - parts
  if aheadParts < 0 then
    ahead, aheadParts = ahead - 1, aheadParts + window
  elseif aheadParts >= window then
    ahead, aheadParts = ahead + 1, aheadParts - window
  end
  ahead = min(forever, ahead)
  at = max(at, to)
end

local function free()
  local left = burst - level - ahead - ceil((parts + aheadParts) / window)
  return left > 0 and left or 0
end

-- Takes the oldest permits away until no more than this many are left.
local function dropBeyond(most)
  while sum > most do
    local excess = sum - most
    if older == '' then
      count = max(0, count - excess)
      sum = count
    else
      local stamp, permits = unpack('>I7I6', older)
      if permits <= excess then
        older = sub(older, 14)
        sum = sum - permits
      else
        older = pack('>I7I6', stamp, permits - excess) .. sub(older, 14)
        sum = most
      end
    end
  end
end

-- What drained of one charge must not be credited at the cost of a later one.
local function forgetDrained()
  local whole = parts > 0 and level + 1 or level
  while older ~= '' do
    local _, permits = unpack('>I7I6', older)
    if sum - permits < whole then
      dropBeyond(level)
      return
    end
    older = sub(older, 14)
    sum = sum - permits
  end
end

local function takeBack(stamp, permits)
  local taken = 0
  if stamp == newest then
    taken = min(permits, count)
    count = count - taken
    if count == 0 and older ~= '' then
      newest, count = unpack('>I7I6', older, #older - 12)
      older = sub(older, 1, -14)
    end
  else
    for first = #older - 12, 1, -13 do
      local found, charged = unpack('>I7I6', older, first)
      if found == stamp then
        taken = min(permits, charged)
        local rest = taken < charged and pack('>I7I6', stamp, charged - taken) or ''
        older = sub(older, 1, first - 1) .. rest .. sub(older, first + 13)
        break
      end
    end
  end
  sum = sum - taken
  return taken
end

local function credit(stamp, permits)
  forgetDrained()
  level = level - takeBack(stamp, permits)
  if level < 0 then
    level, parts = 0, 0
  end
end

local function stampAfter(ending)
  local first = max(ending, open)
  return count > 0 and max(first, newest) or first
end

local function charge(permits, ending)
  if at < ending then
    sinkAhead(ending)
  end
  if sum > level then
    dropBeyond(level)
    if older == '' then
      open = newest + 1
    end
  end
  local stamp = stampAfter(ending)
  if newest < stamp or count == 0 then
    if count > 0 then
      older = older .. pack('>I7I6', newest, count)
    end
    newest, count = stamp, 0
  end
  local added = permits
  if count + added > mostPermits then
    added = mostPermits - count
  end
  count = count + added
  sum = sum + added
  if #older > mostOlder * 13 then
    local _, oldest = unpack('>I7I6', older)
    older = sub(older, 14)
    sum = sum - oldest
  end
  level = min(forever, level + permits)
end

-- The first time at which this many are free.
local function freeAt(wanted, slot)
  local allowed = burst - wanted
  local early = allowed - level
  local moment
  if early > 0 then
    local quotient, rest = divide(early, window, limit)
    moment = at - quotient - floor((rest - parts) / limit)
  else
    moment = at + drained(-early)
  end
  return ceil(moment / slot) * slot
end

local function execute(
  kept, length, inForce, atOnce, needed, atLeast, extra, debt, backsAt, backs)
  local now, last, keptUntil = clock, 0, 0
  at, level, parts, ahead, aheadParts = 0, 0, 0, 0, 0
  open, newest, count, older, sum = 0, 0, 0, '', 0
  window, limit, burst = length, inForce, atOnce
  local changed = backs > 0 or debt > 0
  if kept then
    last, keptUntil, at, level, limit, burst = unpack('>I7I7I7I7I6I6', kept)
    local known = #kept
    if known <= shortLength then
      newest, count = at, level
      ahead = known == shortLength and 0 or forever
    else
      parts, open, newest, count = unpack('>I6I7I7I6', kept, oldShortLength + 1)
      known = oldLongLength
      if (#kept - oldLongLength) % 13 % 6 == 1 then
        ahead, aheadParts = unpack('>I7I7', kept, known + 1)
        known = longLength
      else
        ahead = forever
      end
    end
    now = last > now and last or now
    sum = count
    if #kept > known then
      sum = unpack('>I6', kept, known + 1)
      older = sub(kept, known + 7)
    end
    if inForce ~= limit or atOnce ~= burst then
      local slot = slotLength()
      sinkTo(floor(now / slot) * slot)
      changed = changed or needed + extra > 0
      limit, burst = inForce, atOnce
    end
  end
  local slot = slotLength()
  local visible = floor(now / slot) * slot
  local ending = (floor((now + minLife) / slot) + 1) * slot
  sinkTo(visible)

  for first = backsAt, backsAt + backs * 21 - 1, 21 do
    credit(unpack('>I7I7', claims, first))
  end
  if debt > 0 then
    charge(debt, ending)
  end
  local permits, left = 0, free()
  permits = needed <= left and needed or left
  if permits < atLeast then
    permits = 0
  elseif permits == needed then
    permits = permits + min(extra, floor((left - permits) / 8))
  end
  if permits > 0 then
    charge(permits, ending)
    left = free()
  end

  -- Redis keeps it until it is as good as fresh and up to twice as long after that as there is to
  -- spare: so a busy one seldom needs another time to live. A new one has none.
  local value, due
  if changed or permits > 0 then
    local fresh = ceil((at + drained(level)) / slot) * slot
    fresh = max(fresh, (count > 0 and max(open - 1, newest) or open - 1) - minLife)
    local spare = kept and level > 0 and 15 * slot or 0
    if fresh > now then
      if not kept or keptUntil < fresh or keptUntil > fresh + 2 * spare then
        keptUntil = fresh + spare
        due = keptUntil
      end
      value = pack('>I7I7I7I7I6I6', now, keptUntil, at, level, limit, burst)
      if newest ~= at or count ~= level or parts > 0 or open > 0 or older ~= ''
        or ahead > 0 or aheadParts > 0 then
        value = value .. pack('>I6I7I7I6I7I7', parts, open, newest, count, ahead, aheadParts)
      else
        value = value .. '+'
      end
      if older ~= '' then
        value = value .. pack('>I6', sum) .. older
      end
    elseif kept then
      value = ''
    end
  end

  local wanted = max(1, atLeast)
  local retry, reset = 0, 0
  if left < wanted then
    retry = wanted > burst and window or min(forever, freeAt(wanted, slot) - now)
  end
  if left < burst then
    reset = min(forever, freeAt(left + 1, slot) - now)
  end
  return permits, left, stampAfter(ending), ending - now, retry, reset, value, due
end
--[[each]]
if kept and #kept ~= shortLength and #kept ~= longLength
  and (#kept < longLength + 19 or (#kept - longLength - 6) % 13 > 0)
  and #kept ~= oldShortLength and #kept ~= oldLongLength
  and (#kept < oldLongLength + 19 or (#kept - oldLongLength - 6) % 13 > 0) then
  break
end
permits, left, stamp, life, retry, reset, value, due =
  execute(kept, window, limit, burst, needed, atLeast, extra, debt, backsAt, backs)
