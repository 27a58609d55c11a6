-- Takes cells of a bucket by the generic cell rate algorithm, as io.weir.internal.algorithm.Gcra.
-- KEYS: the bucket. ARGV: how many cells may come early, how many in a period, the microseconds of
-- a period, and how many come now. Returns 1 if they were refused, how many cells may come, and in
-- how many microseconds as many may come as were refused (or -1) and the bucket is unused again.
--
-- A bucket is the time at which it is unused again: microseconds, and a fraction, which is a number
-- of count-th parts. All numbers and products are whole and below 2^53, so nothing is ever rounded.
local burst, count, period, quantity = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]),
  tonumber(ARGV[4])
local cells = burst + 1
local rest = period % count
local each = (period - rest) / count

-- What cells take: whole microseconds, and the fraction.
local function duration(n)
  local product = n * rest
  local fraction = product % count
  return n * each + (product - fraction) / count, fraction
end

local function isMore(a, aFraction, b, bFraction)
  return a > b or a == b and aFraction > bFraction
end

-- How many cells a time has room for: the quotient of doubles is off by one at most.
local function room(micros, fraction)
  if fraction < 0 then
    micros, fraction = micros - 1, fraction + count
  end
  local n = math.floor((micros + fraction / count) / (period / count))
  local its, itsFraction = duration(n)
  if isMore(its, itsFraction, micros, fraction) then
    return n - 1
  end
  its, itsFraction = duration(n + 1)
  return isMore(its, itsFraction, micros, fraction) and n or n + 1
end

local function up(micros, fraction)
  return fraction > 0 and micros + 1 or micros
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local most, mostFraction = duration(cells)
local backlog, backlogFraction = 0, 0
local kept = redis.call('GET', KEYS[1])
if kept then
  if #kept ~= 12 then
    return redis.error_reply('ERR a key that should be a bucket holds something else')
  end
  local arrival, arrivalFraction = struct.unpack('>I7I5', kept)
  if arrival >= now then
    backlog, backlogFraction = arrival - now, arrivalFraction
  end
  if isMore(backlog, backlogFraction, most, mostFraction) then -- the clock was set back
    backlog, backlogFraction = most, mostFraction
  end
end

if quantity > cells then
  return {1, room(most - backlog, mostFraction - backlogFraction), -1, up(backlog, backlogFraction)}
end
local took, tookFraction = duration(quantity)
local after, afterFraction = backlog + took, backlogFraction + tookFraction
if afterFraction >= count then
  after, afterFraction = after + 1, afterFraction - count
end
if isMore(after, afterFraction, most, mostFraction) then
  return {1, room(most - backlog, mostFraction - backlogFraction),
    up(after - most, afterFraction - mostFraction), up(backlog, backlogFraction)}
end
if quantity > 0 then
  local life = up(after, afterFraction)
  redis.call('SET', KEYS[1], struct.pack('>I7I5', now + after, afterFraction),
    'PX', string.format('%d', (life - life % 1000) / 1000 + 2))
end
return {0, room(most - after, mostFraction - afterFraction), -1, up(after, afterFraction)}
