package io.weir;

import java.util.Objects;

/**
 * Thrown for a request that can't be counted because of its contents: a key of more than 8,192
 * bytes, a cost that isn't a number, or a query or a body that can't be read.
 *
 * <p>The web adapters answer 400. A woven method throws it instead of running; nothing is charged
 * then. The message may be sent to the client: it names the place and the rule, and repeats nothing
 * that the client sent.
 */
public final class InvalidRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes what is wrong.
   *
   * @param message a sentence for the client that repeats nothing the client sent
   */
  public InvalidRequestException(String message) {
    super(message);
  }

  /** Returns the place and the rule. */
  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
