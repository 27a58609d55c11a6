-- FIXED_WINDOW, as io.weir.internal.algorithm.FixedWindow. A bucket is: the time it was written, the number
-- of its window, permits used in it.
local function execute(
  key, kept, window, limit, _, needed, atLeast, extra, debt, backsAt, backs)
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

  for at = backsAt, backsAt + backs * 14 - 1, 14 do
    local stamp, permits = unpack('>I7I7', claims, at)
    if stamp == number then
      used = max(0, used - permits)
    end
  end
  if debt > 0 then
    used = min(forever, used + debt)
  end
  local free = used < limit and limit - used or 0
  local permits = needed + extra > 0 and granted(free, needed, atLeast, extra) or 0
  if permits > 0 then
    used, free = used + permits, free - permits
  end

  local ending = (number + 1) * window
  if used ~= before then
    local value = pack('>I7I6I7', now, number, used)
    if not kept then
      make(key, value, ending)
    elseif used == 0 then
      call('DEL', key)
    elseif number == counted then
      rewrite(key, kept, value)
    else
      replace(key, kept, value, ending)
    end
  end

  local wanted = atLeast > 1 and atLeast or 1
  local life = ending - now
  local retry = free >= wanted and 0 or wanted > limit and window or life
  local reset = free == limit and 0 or life
  return permits, number, life, free, retry, reset
end
