-- A window that a success clears, as io.weir.internal.algorithm.AttemptLog. The last of a claim's
-- give-backs is none: its stamp is that of the last success, or 0. A bucket is: the time it was
-- written, the last stamp, and of each attempt its stamp, the permits of running requests, those of
-- failed ones, and the last stamp when the last failure was reported.
local headLength, attemptLength, mostAttempts = 14, 28, 2048
alike = false -- each says more
--[[each]]
backs = backs - 1
local cleared = unpack('>I7', claims, backsAt + backs * 21)
local now, last, lastStamp, used, attempts = clock, 0, 0, 0, {}
if kept then
  if type(kept) ~= 'string' or #kept < headLength
    or (#kept - headLength) % attemptLength ~= 0 then
    break
  end
  last, lastStamp = unpack('>I7I7', kept)
  if last > now then
    now = last
  end
  for at = headLength + 1, #kept, attemptLength do
    local its, running, broken, after = unpack('>I7I7I7I7', kept, at)
    if its > now - window then
      attempts[#attempts + 1] = {its, running, broken, after}
      used = used + running + broken
    end
  end
end
stamp = now + minLife > lastStamp and now + minLife or lastStamp + 1
life = stamp - now
local changed = false

for at = backsAt, backsAt + backs * 21 - 1, 21 do
  local itsStamp, unused, spent = unpack('>I7I7I7', claims, at)
  for n = 1, #attempts do
    local each = attempts[n]
    if each[1] == itsStamp then
      spent = spent < each[2] and spent or each[2]
      each[2], each[3] = each[2] - spent, each[3] + spent
      if spent > 0 then
        each[4] = lastStamp
      end
      unused = unused < each[2] and unused or each[2]
      each[2], used = each[2] - unused, used - unused
      changed = true
    end
  end
end
if cleared > 0 then
  for n = 1, #attempts do
    local each = attempts[n]
    if each[3] > 0 and each[4] < cleared then
      used, each[3], changed = used - each[3], 0, true
    end
  end
end
local function charge(more)
  if #attempts == 0 or attempts[#attempts][1] < stamp then
    attempts[#attempts + 1] = {stamp, 0, 0, 0}
    lastStamp = stamp
  end
  local newest = attempts[#attempts]
  more = more < mostPermits - newest[2] and more or mostPermits - newest[2]
  newest[2], used, changed = newest[2] + more, used + more, true
end
-- Without those that are empty now: a time to wait for is that of an attempt that counts.
if changed then
  local full = {}
  for n = 1, #attempts do
    if attempts[n][2] + attempts[n][3] > 0 then
      full[#full + 1] = attempts[n]
    end
  end
  attempts = full
end
if debt > 0 then
  charge(debt)
end
left = used < limit and limit - used or 0
--[[grant]]
if permits > 0 then
  charge(permits)
  left = left - permits
end
while #attempts > mostAttempts do
  local oldest = table.remove(attempts, 1)
  local each = attempts[1]
  each[2], each[3] = each[2] + oldest[2], each[3] + oldest[3]
  each[4] = math.max(each[1], each[4], oldest[4])
end

-- When so many more are free than now: a window after the attempts that count longest.
local wanted = atLeast > 1 and atLeast or 1
retry, reset = 0, 0
local missing, more, n = used - limit + wanted, used - limit + left + 1, 0
local gone = 0
while n < #attempts do
  n = n + 1
  local before = gone
  gone = gone + attempts[n][2] + attempts[n][3]
  local due = attempts[n][1] + window - now
  if before < missing and gone >= missing and left < wanted then
    retry = due
  end
  if before < more and gone >= more and left < limit then
    reset = due
  end
end
if left < wanted and wanted > limit then
  retry = window
end

if changed then
  if #attempts > 0 or lastStamp - minLife >= now then
    local parts = {pack('>I7I7', now, lastStamp)}
    for each = 1, #attempts do
      parts[each + 1] = pack('>I7I7I7I7', all(attempts[each]))
    end
    value = table.concat(parts)
    due = #attempts > 0 and attempts[#attempts][1] + window or lastStamp
  elseif kept then
    value = ''
  end
end
