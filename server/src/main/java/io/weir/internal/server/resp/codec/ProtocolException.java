package io.weir.internal.server.resp.codec;

/**
 * What a client sent is no command, so nobody knows where the next one begins: the connection ends.
 * Cheap: it has no stack trace.
 */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean silent;

  private ProtocolException(String message, boolean silent) {
    super(message, null, false, false);
    this.silent = silent;
  }

  /** Something that is answered before the connection ends; shows nothing of what was sent. */
  static ProtocolException of(String message) {
    return new ProtocolException(message, false);
  }

  /** Another protocol, whose speaker is to learn nothing. */
  static ProtocolException otherProtocol() {
    return new ProtocolException("another protocol", true);
  }

  /**
   * Whether it isn't answered.
   *
   * @return true if the connection just ends
   */
  public boolean isSilent() {
    return silent;
  }
}
