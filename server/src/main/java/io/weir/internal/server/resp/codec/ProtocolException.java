package io.weir.internal.server.resp.codec;

/**
 * Reports a malformed stream, in which the next command can't be found: the connection ends. Cheap:
 * it has no stack trace.
 */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean silent;

  private ProtocolException(String message, boolean silent) {
    super(message, null, false, false);
    this.silent = silent;
  }

  /** Makes an error that the client gets before the connection ends; repeats none of its input. */
  static ProtocolException of(String message) {
    return new ProtocolException(message, false);
  }

  /** Makes the error for another protocol, to which nothing is sent. */
  static ProtocolException otherProtocol() {
    return new ProtocolException("another protocol", true);
  }

  /** Returns whether the client gets no reply. */
  public boolean isSilent() {
    return silent;
  }
}
