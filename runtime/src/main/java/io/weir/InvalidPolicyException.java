package io.weir;

import java.util.Collection;
import java.util.List;

/** Thrown for invalid policies. The message lists every mistake on a line of its own. */
public final class InvalidPolicyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> mistakes;

  /**
   * Lists the mistakes.
   *
   * @param mistakes each names the place, member, value and rule
   */
  public InvalidPolicyException(List<String> mistakes) {
    super(
        mistakes.size()
            + (mistakes.size() == 1 ? " mistake" : " mistakes")
            + " in rate limits:\n  "
            + String.join("\n  ", mistakes));
    this.mistakes = List.copyOf(mistakes);
  }

  /**
   * Returns the mistakes one by one.
   *
   * @return each names the place, member, value and rule; unmodifiable, and empty after
   *     deserialization
   */
  public List<String> mistakes() {
    return mistakes == null ? List.of() : mistakes;
  }

  /**
   * Throws if there are any mistakes.
   *
   * @param mistakes each is listed once
   * @throws InvalidPolicyException if there is one
   */
  public static void throwIfAny(Collection<String> mistakes) {
    if (!mistakes.isEmpty()) {
      throw new InvalidPolicyException(mistakes.stream().distinct().toList());
    }
  }
}
