package io.weir;

/**
 * Describes a mistake in a member of a policy.
 *
 * <p>Immutable.
 *
 * @param member the member as in the annotation, {@code tiers.gold} for a tier's limit
 * @param value its value as text
 * @param rule the rule that it breaks, such as {@code must be 1 to 10}
 */
public record PolicyMistake(String member, String value, String rule) {
  /** Returns a line such as {@code exceedBy = 1001: must be 0 to 1,000 %}. */
  @Override
  public String toString() {
    return member + " = " + value + ": " + rule;
  }
}
