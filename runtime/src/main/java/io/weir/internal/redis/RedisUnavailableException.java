package io.weir.internal.redis;

import io.weir.internal.redis.connection.Failure;

/** Thrown if Redis answers nothing or only errors. Has no stack trace, so it is cheap. */
final class RedisUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RedisUnavailableException(Failure why) {
    super(why.text(), null, false, false);
  }
}
