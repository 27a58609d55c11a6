-- Executes claims: KEYS are buckets, each another one, and ARGV[1] has the claims, as ClaimCodec
-- writes them. Answers the grants, as it reads them, and after these, for each claim that failed
-- alone, its number and what went wrong.
--
-- With ARGV[2], the characters and beats of an epoch that a node knows, the last of KEYS is that of
-- the epoch (see epoch.lua). If that is another one by now, or has fewer beats, nothing is executed
-- and nothing answered; what is no epoch at all is an error.
--
-- Numbers in Lua are doubles. All of them here are whole and stay below 2^53, products included,
-- so that nothing is ever rounded: times are below 2^51, windows below 2^45, limits and bursts
-- at most 2^40, sums and levels at most 2^52. A quotient is rounded down exactly as long as
-- dividend and divisor together are below 2^53.
--
-- What costs time: a command (half a microsecond and more, SET with a time to live five), a new
-- string, and writing a number as text. Arithmetic is cheap.
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]
local call, all, pack, unpack, sub = redis.call, unpack, struct.pack, struct.unpack, string.sub
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max

-- No grant is shorter than this, however late in its slot it is made: as Scripts.MIN_LIFE_MICROS.
local minLife = 5000

-- Into how many slots a window is cut at most: as LeaseSlots.MOST.
local mostSlots = 60

local mostPermits = 1099511627776 -- 2^40
local forever = 4503599627370496 -- 2^52

local keys, claims, claimed = KEYS, ARGV[1], #KEYS

-- How many permits a claim gets of what is free.
local function granted(free, needed, atLeast, extra)
  local permits = needed <= free and needed or free
  if permits < atLeast then
    return 0
  end
  if extra == 0 or permits < needed then
    return permits
  end
  local most = floor((free - permits) / 8)
  return permits + (extra < most and extra or most)
end

-- When Redis is to forget a bucket, in its words: at the end of a millisecond, and two more make
-- sure that it never forgets too early. Most buckets of a call have the same time.
local known, words
local function dueAt(untilTime)
  if untilTime ~= known then
    known, words = untilTime, string.format('%d', floor(untilTime / 1000) + 2)
  end
  return words
end

-- Buckets that weren't there are written all at once, in the end.
local made, due, makers = {}, {}, {}
local claim = 0

local function make(key, value, untilTime)
  local n = #due + 1
  made[2 * n - 1], made[2 * n] = key, value
  due[n], makers[n] = dueAt(untilTime), claim
end

-- Writes a bucket that has long enough to live as it is. It can't have died since it was read, for
-- while a script runs time stands still for keys.
local function rewrite(key, kept, value)
  if #value == #kept then
    call('SETRANGE', key, '0', value)
  else
    call('SET', key, value, 'KEEPTTL')
  end
end

-- Writes a bucket that is there and how long it has to be kept.
local function replace(key, kept, value, untilTime)
  rewrite(key, kept, value)
  call('PEXPIREAT', key, dueAt(untilTime))
end

--[[execute]]

-- A grant of nothing, and at the same times as the one before.
local nothing = pack('>BI6I6', 0, 0, 0)

local failed = {}
local function fail(number, trouble)
  failed[#failed + 1] = number
  failed[#failed + 1] = type(trouble) == 'table' and trouble.err or tostring(trouble)
end

local answers, stamp, life, retry, reset = {}, 0, 0, 0, 0
local kept = call('MGET', all(keys))

if ARGV[2] then
  local known, told = ARGV[2], kept[claimed] or ''
  claimed = claimed - 1
  if not string.match(known, '^................%d%d%d%d%d%d%d%d%d%d%d%d$') then
    return redis.error_reply('ERR a node of Weir names a malformed epoch')
  end
  if sub(told, 1, 16) ~= sub(known, 1, 16) or sub(told, 1, 28) < known then
    return {}
  end
end

-- Executes the claims that are left, up to one that fails. A claim's numbers become arguments as
-- they are read: locals are cheaper than what functions share.
local function run()
  while claim < claimed do
    local n = claim + 1
    claim = n
    answers[n] = nothing
    local permits, itsStamp, itsLife, left, itsRetry, itsReset =
      execute(keys[n], kept[n], unpack('>I6I6I6I6I6I6I7I3B', claims, n * 47 - 46))
    if itsStamp == stamp and itsReset == reset and itsRetry == retry and itsLife == life then
      answers[n] = pack('>BI6I6', 0, permits, left)
    else
      stamp, life, retry, reset = itsStamp, itsLife, itsRetry, itsReset
      answers[n] = pack('>BI6I6I7I7I7I7', 1, permits, left, stamp, life, retry, reset)
    end
  end
end

while claim < claimed do
  local done, trouble = pcall(run)
  if not done then
    fail(claim, trouble)
  end
end

-- A key of another kind isn't read by MGET and mustn't be written over.
local function makeAlone(n)
  local done = redis.pcall('SET', made[2 * n - 1], made[2 * n], 'NX')
  if not done then
    fail(makers[n], 'WRONGTYPE of a key that should be a bucket')
  elseif done.err then
    fail(makers[n], done)
  else
    call('PEXPIREAT', made[2 * n - 1], due[n])
  end
end

if #due > 0 then
  if redis.pcall('MSETNX', all(made)) == 1 then
    for n = 1, #due do
      call('PEXPIREAT', made[2 * n - 1], due[n])
    end
  else
    for n = 1, #due do
      makeAlone(n)
    end
  end
end
return {table.concat(answers), all(failed)}
