-- Which data this Redis has: 16 characters made at random with the data, and in numbers of fixed
-- length how often nodes have said that they know it, when it was made, when they said so last, and
-- whether it took the place of data that a node knew. That nodes beat shows a replica that lagged
-- behind, or an old snapshot: it has fewer beats than a node has seen.
-- KEYS: the epoch; ARGV: what the node knows, characters and beats, or nothing; other characters;
-- how many milliseconds to keep it. Returns characters, beats, age and whether data was lost.
local known, fresh, key = ARGV[1], ARGV[2], KEYS[1]
local knows = #known > 0
-- What is written here speaks to all nodes, so one that makes no sense must leave it alone.
if #fresh ~= 16 or knows
  and not string.match(known, '^................%d%d%d%d%d%d%d%d%d%d%d%d$') then
  return redis.error_reply('ERR a node of Weir names a malformed epoch')
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local kept = redis.call('MGET', key)[1]
local id, beats, born, beatAt, wiped
if kept then
  id, beats, born, beatAt, wiped =
    string.match(kept, '^(................)(%d%d%d%d%d%d%d%d%d%d%d%d)(%d+):(%d+):(%d)$')
end

local function write()
  local value =
    string.format('%s%012.0f%.0f:%.0f:%d', id, beats, born, beatAt, wiped and 1 or 0)
  return redis.pcall('SET', key, value, 'PX', ARGV[3])
end

local lost = knows and (not id or id == string.sub(known, 1, 16) and id .. beats < known)
if not id or lost then
  id, beats, born, beatAt, wiped = fresh, 0, now, now, knows
  local done = write()
  if done.err then
    return done
  end
else
  beats, born, beatAt, wiped = tonumber(beats), tonumber(born), tonumber(beatAt), wiped == '1'
  local other = knows and id ~= string.sub(known, 1, 16) and not wiped
  wiped = wiped or other
  -- At most ten a second of all nodes. That a Redis takes no writes is for others to tell. But a beat
  -- that isn't written mustn't be heard: it would be missing later, as if data were lost.
  if other or now < beatAt or now - beatAt >= 100000 then
    beats, beatAt = beats + 1, now
    if write().err then
      beats = beats - 1
    end
  end
end
return {id, beats, math.max(0, now - born), wiped and 1 or 0}
