-- Forgets what a bucket has counted. KEYS: the bucket. Returns how many there were, 0 or 1.
return redis.call('DEL', KEYS[1])
