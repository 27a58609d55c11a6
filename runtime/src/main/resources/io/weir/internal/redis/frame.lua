-- Executes claims: KEYS are buckets, each another one, and ARGV[1] has the claims, as ClaimCodec
-- writes them. Answers the grants, as it reads them. If a claim failed, that is the first part of a
-- list, in which follow, for each claim that failed alone, its number and what went wrong.
--
-- With ARGV[2], the characters and beats of an epoch that a node knows, the last of KEYS is that of
-- the epoch (see epoch.lua). If that is another one by now, or has fewer beats, nothing is executed
-- and the answer is an empty list; what is no epoch at all is an error.
--
-- Numbers in Lua are doubles. All of them here are whole and stay below 2^53, products included,
-- so that nothing is ever rounded: times are below 2^51, windows below 2^45, limits and bursts
-- at most 2^40, sums and levels at most 2^52. A quotient is rounded down exactly as long as
-- dividend and divisor together are below 2^53.
--
-- What costs time: a command (half a microsecond and more, the more if it answers a list), a table,
-- a function that is made (the more so the more locals around it it uses), a new string, and writing
-- a number as text. Arithmetic is cheap. Most calls have one claim, and so make no function and no
-- table where an algorithm can do without.
local keys, claims, known = KEYS, ARGV[1], ARGV[2]
local call, try = redis.call, redis.pcall
local all, pack, unpack, sub = unpack, struct.pack, struct.unpack, string.sub
local claimed = #keys

if known then
  local told = try('GET', keys[claimed])
  claimed = claimed - 1
  if not told or #told < 28 or sub(told, 1, 28) ~= known then
    if not string.match(known, '^................%d%d%d%d%d%d%d%d%d%d%d%d$') then
      return redis.error_reply('ERR a node of Weir names a malformed epoch')
    end
    if type(told) ~= 'string'
      or sub(told, 1, 16) ~= sub(known, 1, 16) or sub(told, 1, 28) < known then
      return {}
    end
  end
end

local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]

-- No grant is shorter than this, however late in its slot it is made: as Scripts.MIN_LIFE_MICROS.
local minLife = 5000

-- Into how many slots a window is cut at most: as WindowSlotLayout.MAX_SLOTS.
local mostSlots = 60

local mostPermits = 1099511627776 -- 2^40
local forever = 4503599627370496 -- 2^52

-- Of a call with several claims: what was kept of their buckets, the grants, and what failed.
local many, answers, failed
-- The times of the grant before, which a grant at the same times doesn't tell again.
local toldStamp, toldLife, toldRetry, toldReset
-- Buckets that weren't there, with their values; they are written all at once, in the end. When
-- each is due, and which claims made them.
local made, dues, makers
-- The last claim for a bucket that wasn't there, without what it gives back, of which such a bucket
-- has nothing; and what came of it. In a crowd of new callers most are alike: the next is the same.
-- An algorithm whose claims say more, in front of what they give back, sets alike to false.
local alike = true
local newSaid, newPermits, newLent, newLeft, newValue, newDue
local newStamp, newLife, newRetry, newReset
-- When the bucket before is due. Most buckets of a call have the same time.
local dueBefore, dueText

if claimed > 1 then
  many, answers, failed = call('MGET', all(keys, 1, claimed)), {}, {}
  made, dues, makers = {}, {}, {}
end

--[[before]]

for claim = 1, claimed do
  local key, kept, trouble = keys[claim]
  if many then
    kept = many[claim]
  else
    kept = try('GET', key)
  end

  -- What an algorithm finds. It leaves what the grant tells; and, if the bucket is to be written,
  -- its value, which is empty if it is to be forgotten, and, unless the bucket has long enough to
  -- live as it is, the time until which it is kept. If what was kept is no bucket, it breaks off.
  local permits, lent, left, stamp, life, retry, reset, value, due
  local said = many and not kept and alike and sub(claims, claim * 53 - 52, claim * 53 - 4)
  if said and said == newSaid then
    permits, lent, left, value, due = newPermits, newLent, newLeft, newValue, newDue
    stamp, life, retry, reset = newStamp, newLife, newRetry, newReset
  else
    local window, limit, burst, needed, atLeast, extra, far, debt, backsAt, backs =
      unpack('>I6I6I6I6I6I6I6I7I3B', claims, claim * 53 - 52)
    -- A debt of more than there can be is ignored from the time on that follows the give-backs.
    if debt > forever then
      said = nil
      debt = debt - forever
      local now, ignored = clock, unpack('>I7', claims, backsAt + backs * 21)
      if type(kept) == 'string' and #kept >= 7 then
        now = math.max(clock, (unpack('>I7', kept)))
      end
      if now >= ignored then
        debt = 0
      end
    end
    repeat
      --[[each]]
    until true
    if said then
      newSaid = said
      newPermits, newLent, newLeft, newValue, newDue = permits, lent, left, value, due
      newStamp, newLife, newRetry, newReset = stamp, life, retry, reset
    end
  end

  if not permits then
    trouble = kept.err or 'a key that should be a bucket holds something else'
  elseif value then
    -- When Redis is to forget a bucket, in its words: at the end of a millisecond, and two more make
    -- sure that it never forgets too early.
    if due and due ~= dueBefore then
      dueBefore, dueText = due, string.format('%d', (due - due % 1000) / 1000 + 2)
    end
    if many and not kept then
      local n = #dues + 1
      made[2 * n - 1], made[2 * n] = key, value
      dues[n], makers[n] = dueText, claim
    else
      -- A bucket can't have died since it was read: while a script runs time stands still for keys.
      local done
      if not kept then
        done = try('SETNX', key, value)
      elseif #value == #kept then
        done = try('SETRANGE', key, '0', value)
      elseif value == '' then
        done = try('DEL', key)
      else
        done = try('SET', key, value, 'KEEPTTL')
      end
      trouble = type(done) == 'table' and done.err
      if due and not trouble then
        call('PEXPIREAT', key, dueText)
      end
    end
  end

  local answer
  if trouble then
    answer = pack('>BI6I6', 0, 0, 0)
  elseif stamp == toldStamp and reset == toldReset and retry == toldRetry and life == toldLife then
    answer = pack('>BI6I6', 0, permits, left)
  else
    toldStamp, toldLife, toldRetry, toldReset = stamp, life, retry, reset
    answer = pack('>BI6I6I7I7I7I7', lent and 2 or 1, permits, left, stamp, life, retry, reset)
  end
  if not many then
    return trouble and {answer, 1, trouble} or answer
  end
  answers[claim] = answer
  if trouble then
    failed[#failed + 1] = claim
    failed[#failed + 1] = trouble
  end
end

if #dues > 0 then
  local done = try('MSETNX', all(made))
  for n = 1, #dues do
    local key, trouble = made[2 * n - 1]
    if done ~= 1 then
      -- A key of another kind isn't read by MGET and mustn't be written over.
      local alone = try('SETNX', key, made[2 * n])
      trouble = alone == 0 and 'WRONGTYPE of a key that should be a bucket'
        or alone ~= 1 and alone.err
    end
    if trouble then
      failed[#failed + 1] = makers[n]
      failed[#failed + 1] = trouble
    else
      call('PEXPIREAT', key, dues[n])
    end
  end
end

local grants = table.concat(answers)
return #failed > 0 and {grants, all(failed)} or grants
