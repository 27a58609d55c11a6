package io.weir.internal.postgres;

/**
 * Thrown if an operator has to change something before Weir can count in this database; the message
 * says what.
 */
final class MisconfiguredException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MisconfiguredException(String advice) {
    super(advice, null, false, false);
  }
}
