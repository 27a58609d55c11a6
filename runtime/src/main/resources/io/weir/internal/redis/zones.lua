-- Which versions of time zone data nodes have, in a hash: version -> ends, microseconds. KEYS: the hash; ARGV:
-- the node's version, how long it is remembered. Returns the versions of others, separated by commas.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local others = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if (tonumber(all[i + 1]) or 0) <= now then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then
    others[#others + 1] = all[i]
  end
end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now + ARGV[2]))
redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[2] / 1000))
return table.concat(others, ', ')
