package io.weir.store;

/**
 * Claims named an epoch that the store doesn't have any more: it has lost what it had counted.
 * Whether claims were executed isn't known. Cheap: it has no stack trace.
 */
public final class DataLossException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Says so. */
  public DataLossException() {
    super("the store has lost its data", null, false, false);
  }
}
