package io.weir.compat.redis.fault;

/**
 * A piece of what one side says that passes the proxy as a whole.
 *
 * <p>Immutable.
 */
final class Frame {
  private final byte[] bytes;
  private final Kind kind;

  Frame(byte[] bytes, Kind kind) {
    this.bytes = bytes;
    this.kind = kind;
  }

  /** What a frame is to the proxy. */
  enum Kind {
    /** A command that faults may strike, and that is answered. */
    CALL,
    /** Another command that is answered; or the answer to a command. */
    OTHER,
    /** Neither is answered nor answers anything. */
    ASIDE
  }

  byte[] bytes() {
    return bytes;
  }

  Kind kind() {
    return kind;
  }

  /** Returns whether it asks for an answer, or is one. */
  boolean isAnswered() {
    return kind != Kind.ASIDE;
  }
}
