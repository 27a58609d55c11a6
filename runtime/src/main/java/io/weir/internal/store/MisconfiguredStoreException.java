package io.weir.internal.store;

/**
 * Thrown if an operator has to change something before Weir can count in a store. Has no stack
 * trace.
 */
public final class MisconfiguredStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Takes advice that names the setting or the statement to change. */
  public MisconfiguredStoreException(String advice) {
    super(advice, null, false, false);
  }
}
