package io.weir.internal.redis.connection;

/** A connection that can't be opened, is refused, or broke. Cheap: it has no stack trace. */
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
