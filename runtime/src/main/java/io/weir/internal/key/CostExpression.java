package io.weir.internal.key;

import io.weir.InvalidRequestException;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the cost of a request from a place in it, {@code query:amount}: there must be exactly one
 * value, and it must be a number.
 *
 * <p>Safe for concurrent use.
 */
public final class CostExpression {
  private final RequestField field;

  private CostExpression(RequestField field) {
    this.field = field;
  }

  /**
   * Finds the mistake in {@code costFrom}.
   *
   * @param resolverNames the names of the registered cost resolvers
   * @param readable the places that can be read
   * @return the rule that it breaks; empty if it is valid
   */
  public static Optional<String> mistake(
      String text, Set<String> resolverNames, ReadablePlaces readable) {
    Optional<RequestField> field = RequestField.of(text);
    if (field.isPresent()) {
      return KeySyntax.mistake(field.get(), readable);
    }
    return resolverNames.contains(text)
        ? Optional.empty()
        : Optional.of(
            "must be header:, query:, path:, cookie:, param:, form: or json: with a name, or the"
                + " name of a registered CostResolver"
                + KeySyntax.nearest(text, List.copyOf(resolverNames)));
  }

  /** Parses an expression; empty if it is a name. */
  public static Optional<CostExpression> of(String text) {
    return RequestField.of(text).map(CostExpression::new);
  }

  /** Returns the formats of a body that it reads. */
  public BodyUse body() {
    return BodyUse.of(field);
  }

  /**
   * Reads the cost.
   *
   * @return permits, at least 0
   * @throws InvalidRequestException if there is no value, several, or one that isn't a number
   */
  public long read(RequestInfo request) {
    List<String> values = field.numbers(request);
    if (values.size() != 1) {
      throw invalid(values.isEmpty() ? "is missing" : "has several values");
    }
    long permits = permits(values.get(0));
    if (permits < 0) {
      throw invalid("must be a number of up to 15 digits, with up to 9 after the point");
    }
    return permits;
  }

  /**
   * Parses a number and rounds it up.
   *
   * @return permits; negative unless the text is 1 to 15 ASCII digits, possibly with a point and up
   *     to nine digits after it
   */
  static long permits(String text) {
    int point = text.indexOf('.');
    int whole = point < 0 ? text.length() : point;
    int behind = point < 0 ? 0 : text.length() - point - 1;
    if (whole < 1 || whole > 15 || behind > 9) {
      return -1;
    }
    long permits = 0;
    boolean more = false;
    for (int at = 0; at < text.length(); at++) {
      int digit = text.charAt(at) - '0';
      if (at != point && (digit < 0 || digit > 9)) {
        return -1;
      }
      if (at < whole) {
        permits = permits * 10 + digit;
      } else if (at > whole) {
        more |= digit > 0;
      }
    }
    return more ? permits + 1 : permits;
  }

  private InvalidRequestException invalid(String why) {
    return new InvalidRequestException(
        "The " + this + " " + why + "; it determines the cost of the request.");
  }

  /** Names the place in words for the client. */
  @Override
  public String toString() {
    return field.toString();
  }
}
