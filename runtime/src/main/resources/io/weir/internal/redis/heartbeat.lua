-- The nodes that live, in a hash: node -> ends:share:oldEnds:oldShare, microseconds and ppm.
-- A node holds its share until ends, and, as the answer that lowered it may have been lost, the
-- larger one of before until oldEnds. What others hold is never given away.
-- Of FEW nodes and more one in turn counts all, once in an interval, and leaves the sums under the
-- empty name: when:entries:shares. In between each node corrects these by its own entry. So a node
-- that joins or leaves its share counts at once; what expires counts until the next sums, which
-- only makes shares smaller. An entry adds the larger of its shares, however long that lasts.
-- KEYS: the hash; ARGV: the node, how long a heartbeat is remembered at least, by each node, at
-- most, heartbeats in this time. Returns live nodes, this one's share, the time.
local WHOLE, FEW = 1000000, 32
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local most = tonumber(ARGV[4])

local function remembered(live)
  return math.min(most, math.max(tonumber(ARGV[2]), live * ARGV[3]))
end

-- What can't be read, or can't be, counts as none.
local function read(entry)
  local ends, share, oldEnds, oldShare = string.match(entry, '^(%d+):(%d+):(%d+):(%d+)$')
  ends, share, oldEnds, oldShare = tonumber(ends), tonumber(share), tonumber(oldEnds), tonumber(oldShare)
  if not ends or ends > now + most or oldEnds > now + most or share > WHOLE or oldShare > WHOLE then
    return 0, 0, 0, 0
  end
  return ends, share, oldEnds, oldShare
end

local function held(entry)
  local ends, share, oldEnds, oldShare = read(entry)
  return math.max(ends > now and share or 0, oldEnds > now and oldShare or 0)
end

local function added(entry)
  local _, share, _, oldShare = read(entry)
  return math.max(share, oldShare)
end

local known = redis.pcall('HMGET', KEYS[1], ARGV[1], '')
if known.err then
  if string.find(known.err, 'WRONGTYPE', 1, true) then
    redis.call('DEL', KEYS[1])
  end
  known = {} -- or a user that may not: then each node reads all
end
local own = known[1] or '0:0:0:0'
local counted, entries, shares = string.match(known[2] or '', '^(%d+):(%d+):(%d+)$')
counted, entries, shares = tonumber(counted), tonumber(entries), tonumber(shares)

-- Of the others: how many, what they hold, what they add to the sums, when the last one ends.
local others, taken, sum, last = 0, 0, 0, now
if counted and counted <= now and entries >= 1
    and now - counted < remembered(entries) / tonumber(ARGV[5]) then
  others = known[1] and entries - 1 or entries
  sum = math.max(0, shares - added(own))
  taken, last = sum, now + most
else
  counted = now
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    local ends = read(all[i + 1])
    if all[i] == ARGV[1] then
      own = all[i + 1]
    elseif ends <= now then
      redis.call('HDEL', KEYS[1], all[i])
    else
      others, taken, sum = others + 1, taken + held(all[i + 1]), sum + added(all[i + 1])
      last = math.max(last, ends)
    end
  end
end

local live = others + 1
local share = math.max(0, math.min(math.floor(WHOLE / live), WHOLE - taken))
local ends, before, oldEnds, oldShare = read(own)
if oldEnds <= now then
  oldEnds, oldShare = 0, 0
end
if ends > now and before > share then
  oldEnds, oldShare = math.max(ends, oldEnds), math.max(before, oldShare)
end
ends = now + remembered(live)
local entry = string.format('%.0f:%d:%.0f:%d', ends, share, oldEnds, oldShare)
redis.call('HSET', KEYS[1], ARGV[1], entry)
if live >= FEW then
  redis.call('HSET', KEYS[1], '', string.format('%.0f:%d:%d', counted, live, sum + added(entry)))
elseif known[2] then
  redis.call('HDEL', KEYS[1], '')
end
redis.call('PEXPIRE', KEYS[1], math.ceil((math.max(ends, last) - now) / 1000))
return {live, share, now}
