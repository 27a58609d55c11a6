-- Executes claims: KEYS are buckets, and for each of them ARGV has a claim, written as ClaimCodec
-- says. Answers six numbers for each: a grant; or what went wrong with this one alone, and five
-- zeros. The claims of one bucket are executed in their order.
--
-- Numbers in Lua are doubles. All of them here are whole and stay below 2^53, products included,
-- so that nothing is ever rounded: times are below 2^51, windows below 2^45, capacities and bursts
-- at most 2^40, sums and levels at most 2^52. A quotient is rounded down exactly as long as
-- dividend and divisor together are below 2^53.
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local call, pack, unpack, sub = redis.call, struct.pack, struct.unpack, string.sub
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max

-- No grant is shorter than this, however late in its slot it is made: as Scripts.MIN_LIFE_MICROS.
local minLife = 5000

local mostPermits = 1099511627776 -- 2^40
local forever = 4503599627370496 -- 2^52

local function decode(claim)
  if #claim == 24 then
    local window, capacity, burst, needed = unpack('>I6I6I6I6', claim)
    return window, capacity, burst, needed, needed, 0, 0
  end
  return unpack('>I6I6I6I6I6I6I7', claim)
end

-- How many permits a claim gets of what is free.
local function granted(free, needed, atLeast, extra)
  local permits = needed <= free and needed or free
  if permits < atLeast then
    return 0
  end
  if extra > 0 and permits == needed then
    return permits + min(extra, floor((free - permits) / 8))
  end
  return permits
end

-- Writes a bucket and how long it has to be kept. Redis forgets a key at the end of a millisecond
-- and counts from the beginning of one; two more make sure that it never forgets too early.
local function keep(key, value, untilTime)
  call('SET', key, value, 'PX', floor((untilTime - clock) / 1000) + 2)
end

-- Writes a bucket that has long enough to live as it is; half as dear. It can't have died since it
-- was read, for while a script runs time stands still for keys.
local function rewrite(key, value)
  call('SET', key, value, 'KEEPTTL')
end

--[[settle(key, claim)]]

local answers, n = {}, 0
for i = 1, #KEYS do
  local done, permits, stamp, life, left, retry, reset = pcall(settle, KEYS[i], ARGV[i])
  if not done then
    local trouble = permits
    permits = type(trouble) == 'table' and trouble.err or tostring(trouble)
    stamp, life, left, retry, reset = 0, 0, 0, 0, 0
  end
  answers[n + 1], answers[n + 2], answers[n + 3] = permits, stamp, life
  answers[n + 4], answers[n + 5], answers[n + 6] = left, retry, reset
  n = n + 6
end
return answers
