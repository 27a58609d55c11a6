package io.weir.internal.redis.connection;

/**
 * Thrown if a connection can't be opened, is refused, or breaks. Has no stack trace, so it is
 * cheap.
 */
final class ConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Failure failure;

  ConnectionException(Failure failure) {
    super(failure.text(), null, false, false);
    this.failure = failure;
  }

  Failure failure() {
    return failure;
  }
}
