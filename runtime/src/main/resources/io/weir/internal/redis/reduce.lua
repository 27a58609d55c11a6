-- Takes tokens of a bucket that is refilled in steps, as io.weir.internal.algorithm.StepRefillBucket.
-- KEYS: the bucket. ARGV: how many it holds, how many come in with a step, the milliseconds of a
-- step, how many are taken, the time or -1 for that of Redis, and 1 if it is strict. Returns the
-- tokens before the take, and when the last one was granted.
--
-- A bucket is: tokens, the time of the last refill, and that of the last grant. All numbers are
-- whole and at most 2^52, so doubles hold them, and their sums, exactly.
local max, refill, step, take, at = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]),
  tonumber(ARGV[4]), tonumber(ARGV[5])
local mostLife = 3153600000000 -- as StepRefillBucket.MAX_LIFE_MILLIS

local time = redis.call('TIME')
local now = at
if at < 0 then
  now = time[1] * 1000 + (time[2] - time[2] % 1000) / 1000
end

local kept = redis.call('GET', KEYS[1])
local tokens, refilledAt, grantedAt = max, now, now
if kept then
  if #kept ~= 21 then
    return redis.error_reply('ERR a key that should be a bucket holds something else')
  end
  tokens, refilledAt, grantedAt = struct.unpack('>I7I7I7', kept)
end

local steps = 0
if now > refilledAt then
  local elapsed = now - refilledAt
  steps = (elapsed - elapsed % step) / step
end
local missing = max - tokens + refill - 1
local available = max
if steps < (missing - missing % refill) / refill then
  available = tokens + steps * refill
end
if take == 0 then
  return {available, grantedAt}
end

if available >= take or not kept then
  grantedAt = now
end
refilledAt = refilledAt + steps * step
tokens = available > take and available - take or 0
if tokens == 0 and ARGV[6] == '1' then
  refilledAt = math.max(now, refilledAt) -- never back: what was refilled since would be so again
end
local whole = max + refill - 1
local life = math.min(mostLife, (whole - whole % refill) / refill * step)
redis.call('SET', KEYS[1], struct.pack('>I7I7I7', tokens, refilledAt, grantedAt),
  'PX', string.format('%d', life))
return {available, grantedAt}
