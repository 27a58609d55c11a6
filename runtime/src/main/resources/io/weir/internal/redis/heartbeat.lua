-- The nodes that live, in a hash: node -> ends:share:oldEnds:oldShare, microseconds and ppm.
-- A node holds its share until ends, and, as the answer that lowered it may have been lost, the
-- larger one of before until oldEnds. What others hold is never given away.
-- KEYS: the hash; ARGV: the node, how long it is remembered. Returns live nodes, this one's share, the time.
local WHOLE = 1000000
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local function read(entry)
  local ends, share, oldEnds, oldShare = string.match(entry, '^(%d+):(%d+):(%d+):(%d+)$')
  if not ends then
    return 0, 0, 0, 0
  end
  return tonumber(ends), tonumber(share), tonumber(oldEnds), tonumber(oldShare)
end

local function held(entry)
  local ends, share, oldEnds, oldShare = read(entry)
  return math.max(ends > now and share or 0, oldEnds > now and oldShare or 0)
end

local all = redis.call('HGETALL', KEYS[1])
local live, others, own = 1, 0, '0:0:0:0'
for i = 1, #all, 2 do
  if all[i] == ARGV[1] then
    own = all[i + 1]
  elseif read(all[i + 1]) <= now then
    redis.call('HDEL', KEYS[1], all[i])
  else
    live = live + 1
    others = others + held(all[i + 1])
  end
end

local share = math.max(0, math.min(math.floor(WHOLE / live), WHOLE - others))
local ends, before, oldEnds, oldShare = read(own)
if oldEnds <= now then
  oldEnds, oldShare = 0, 0
end
if ends > now and before > share then
  oldEnds, oldShare = math.max(ends, oldEnds), math.max(before, oldShare)
end
local entry = string.format('%.0f:%d:%.0f:%d', now + ARGV[2], share, oldEnds, oldShare)
redis.call('HSET', KEYS[1], ARGV[1], entry)
redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[2] / 1000))
return {live, share, now}
