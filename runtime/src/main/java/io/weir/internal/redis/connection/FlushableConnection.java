package io.weir.internal.redis.connection;

import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;

/** A connection of Jedis that can flush its output without waiting for an answer. */
final class FlushableConnection extends Connection {
  FlushableConnection(JedisSocketFactory sockets, JedisClientConfig config) {
    super(sockets, config);
  }

  @Override
  public void flush() {
    super.flush();
  }
}
