package io.weir.internal.key;

/**
 * The formats of a body that expressions read.
 *
 * @param forms whether any reads form fields
 * @param json whether any reads JSON
 */
public record BodyUse(boolean forms, boolean json) {
  /** No body is read. */
  public static final BodyUse NONE = new BodyUse(false, false);

  /** Any body is read, as by a condition. */
  public static final BodyUse ANY = new BodyUse(true, true);

  static BodyUse of(RequestField field) {
    return new BodyUse(field.reads(RequestValueSource.FORM), field.reads(RequestValueSource.JSON));
  }

  /** Returns the formats of both. */
  public BodyUse and(BodyUse other) {
    return new BodyUse(forms || other.forms, json || other.json);
  }

  /** Returns whether a body is read at all. */
  public boolean isAny() {
    return forms || json;
  }
}
