package io.weir;

import java.util.Objects;

/**
 * A request that no policy can count, because of what is in it: a key of more than 8,192 bytes, or
 * a cost that isn't a number or is more than the caller ever has.
 *
 * <p>The web adapters answer 400. A woven method throws it instead of running; nothing is charged
 * then. The message is fit for the client: it says what is wrong and where, and shows nothing of
 * what was sent.
 */
public final class InvalidRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what is wrong.
   *
   * @param message a sentence for the client, with nothing in it that a client sent
   */
  public InvalidRequestException(String message) {
    super(message);
  }

  /** What is wrong and where. */
  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
