-- FIXED_WINDOW, as io.weir.algorithm.FixedWindow. A bucket is: the time it was written, the number
-- of its window, permits used in it.
local function settle(key, claim)
  local window, capacity, _, needed, atLeast, extra, owed = decode(claim)
  local kept = call('GET', key)
  local now, last, counted, used = clock, 0, -1, 0
  if kept then
    last, counted, used = unpack('>I7I6I7', kept)
    now = last > now and last or now
  end
  local number = floor(now / window)
  if number ~= counted then
    used = 0
  end
  local before = used

  for at = 44, #claim, 14 do
    local stamp, permits = unpack('>I7I7', claim, at)
    if stamp == number then
      used = max(0, used - permits)
    end
  end
  used = min(forever, used + owed)
  local permits = granted(max(0, capacity - used), needed, atLeast, extra)
  used = min(forever, used + permits)

  local ending = (number + 1) * window
  if used ~= before then
    if used > 0 and number == counted then
      rewrite(key, pack('>I7I6I7', now, number, used))
    elseif used > 0 then
      keep(key, pack('>I7I6I7', now, number, used), ending)
    else
      call('DEL', key)
    end
  end

  local left = max(0, capacity - used)
  local wanted = max(1, atLeast)
  local life = ending - now
  local retry = left >= wanted and 0 or wanted > capacity and window or life
  local reset = left >= capacity and 0 or life
  return permits, number, life, left, retry, reset
end
