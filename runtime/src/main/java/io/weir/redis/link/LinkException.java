package io.weir.redis.link;

/** A connection that can't be opened, is refused, or broke. Cheap: it has no stack trace. */
final class LinkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Failure failure;

  LinkException(Failure failure) {
    super(failure.text(), null, false, false);
    this.failure = failure;
  }

  Failure failure() {
    return failure;
  }
}
