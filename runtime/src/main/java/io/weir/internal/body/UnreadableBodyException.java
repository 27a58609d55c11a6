package io.weir.internal.body;

import java.util.Objects;

/**
 * Thrown for a request whose body isn't read for a policy, with the status of the response. The
 * message repeats nothing that the client sent.
 */
public final class UnreadableBodyException extends RuntimeException {
  /** The body didn't arrive in time. */
  static final int TOO_SLOW = 408;

  /** The body is longer than the bound. */
  static final int TOO_LONG = 413;

  /** Too many bodies are being read. */
  static final int TOO_MANY = 503;

  private static final long serialVersionUID = 1L;

  private final int status;

  UnreadableBodyException(int status, String message) {
    super(message, null, false, false); // under attack, a stack trace would be most of the cost
    this.status = status;
  }

  /** Returns the HTTP status. */
  public int status() {
    return status;
  }

  /** Returns what is wrong, for the client. */
  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
