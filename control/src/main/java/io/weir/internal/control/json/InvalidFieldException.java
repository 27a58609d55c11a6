package io.weir.internal.control.json;

/** Reports input that breaks a rule. Names the field and the rule. */
public final class InvalidFieldException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String field;
  private final String rule;

  /**
   * Names a field and the rule that it breaks.
   *
   * @param field the path of the field, such as {@code attributes.header:X-Tenant} or {@code
   *     [3].cost}
   * @param rule a phrase that begins with {@code must}
   */
  public InvalidFieldException(String field, String rule) {
    super(field + " " + rule);
    this.field = field;
    this.rule = rule;
  }

  public String field() {
    return field;
  }

  public String rule() {
    return rule;
  }

  /**
   * Makes the exception for the document that contains the input: its field begins with {@code
   * place}, such as {@code [3]}.
   */
  public InvalidFieldException in(String place) {
    return new InvalidFieldException(FieldPath.joined(place, field), rule);
  }
}
