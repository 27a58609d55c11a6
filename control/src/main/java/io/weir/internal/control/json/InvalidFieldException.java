package io.weir.internal.control.json;

/** What somebody sent breaks a rule. Names the place in the input, and the rule. */
public final class InvalidFieldException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String field;
  private final String rule;

  /**
   * Tells what is wrong where.
   *
   * @param field the path of the field, {@code attributes.header:X-Tenant} or {@code [3].cost} say
   * @param rule what must be, beginning with {@code must}
   */
  public InvalidFieldException(String field, String rule) {
    super(field + " " + rule);
    this.field = field;
    this.rule = rule;
  }

  /**
   * Where it is wrong.
   *
   * @return the path of the field
   */
  public String field() {
    return field;
  }

  /**
   * What must be.
   *
   * @return begins with {@code must}
   */
  public String rule() {
    return rule;
  }

  /**
   * The same as seen from what surrounds the input.
   *
   * @param place what leads to it, {@code [3]} say
   * @return one whose field begins with that
   */
  public InvalidFieldException in(String place) {
    return new InvalidFieldException(FieldPath.joined(place, field), rule);
  }
}
