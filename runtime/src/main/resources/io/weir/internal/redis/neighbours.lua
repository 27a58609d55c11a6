-- Who counts here, and by what, in a hash: node -> ends:fingerprint:prefix, microseconds. A key of
-- its own, since whoever doesn't know it, an older version say, takes what it can't read for gone.
-- KEYS: the hash; ARGV: the node, its fingerprint, its prefix, how long it is remembered. Returns
-- how many others have this prefix and another fingerprint, how many this fingerprint and another
-- prefix, and one of those prefixes.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local node, fingerprint, prefix = ARGV[1], ARGV[2], ARGV[3]

local strangers, elsewhere, where = 0, 0, ''
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local ends, its, place = string.match(all[i + 1], '^(%d+):(%x+):(.+)$')
  if not ends or tonumber(ends) <= now then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= node then
    if place == prefix and its ~= fingerprint then
      strangers = strangers + 1
    elseif place ~= prefix and its == fingerprint then
      elsewhere, where = elsewhere + 1, place
    end
  end
end

local entry = string.format('%.0f:%s:%s', now + ARGV[4], fingerprint, prefix)
redis.call('HSET', KEYS[1], node, entry)
redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[4] / 1000))
return {strangers, elsewhere, where}
