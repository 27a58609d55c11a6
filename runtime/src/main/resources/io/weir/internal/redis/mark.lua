-- Keeps a mark, and reads it. KEYS: where. ARGV: the mark to keep if there is none; none to read
-- only. Returns the mark that is kept, or nothing.
if ARGV[1] then
  redis.call('SETNX', KEYS[1], ARGV[1])
end
return redis.call('GET', KEYS[1])
