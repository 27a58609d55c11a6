package io.weir.store;

/**
 * A store has no place for another bucket; those that it holds go on, and places become free as
 * buckets expire. Cheap: it has no stack trace.
 */
public final class StoreFullException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The store is full. */
  public StoreFullException() {
    super("the store is full", null, false, false);
  }
}
