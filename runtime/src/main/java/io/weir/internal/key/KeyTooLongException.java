package io.weir.internal.key;

import java.util.Objects;

/**
 * A KEY that is too long to count by: the request is answered with 400. The message is meant for
 * the client; it names the place but not the value.
 */
public final class KeyTooLongException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says which KEY it was.
   *
   * @param place where it was found, {@code header X-Api-Key} say
   */
  public KeyTooLongException(String place) {
    super("The " + place + " is longer than " + KeyExpression.LONGEST + " bytes.");
  }

  /** Names the place, never the value: fit for the client. */
  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
