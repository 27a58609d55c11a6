package io.weir.store;

/**
 * Thrown if claims named an epoch that the store no longer has: it has lost what it had counted. It
 * is unknown whether claims were executed. Cheap: it has no stack trace.
 */
public final class DataLossException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Makes the exception. */
  public DataLossException() {
    super("the store has lost its data", null, false, false);
  }
}
