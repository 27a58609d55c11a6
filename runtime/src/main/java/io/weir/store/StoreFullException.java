package io.weir.store;

/**
 * Thrown if a store has no room for another bucket. Its existing buckets still work, and room
 * becomes free as buckets expire. Cheap: it has no stack trace.
 */
public final class StoreFullException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Makes the exception. */
  public StoreFullException() {
    super("the store is full", null, false, false);
  }
}
