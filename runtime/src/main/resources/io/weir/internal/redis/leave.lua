-- A node says that it is gone. KEYS: the hash of nodes; ARGV: the node.
return redis.call('HDEL', KEYS[1], ARGV[1])
