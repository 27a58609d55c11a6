package io.weir;

/**
 * What is wrong with a member of a policy.
 *
 * <p>Immutable.
 *
 * @param member the member as the annotation spells it, {@code tiers.gold} for a tier's limit
 * @param value its value as text
 * @param rule what it must be
 */
public record PolicyMistake(String member, String value, String rule) {
  /** {@code exceedBy = 1001: must be 0 to 1,000 %}. */
  @Override
  public String toString() {
    return member + " = " + value + ": " + rule;
  }
}
