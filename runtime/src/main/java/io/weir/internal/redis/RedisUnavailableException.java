package io.weir.internal.redis;

import io.weir.internal.redis.connection.Failure;

/** The store didn't answer, or nothing but errors. Cheap: it has no stack trace. */
final class RedisUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RedisUnavailableException(Failure why) {
    super(why.text(), null, false, false);
  }
}
