package io.weir.internal.store;

/** Thrown if a store answers nothing or only errors. Has no stack trace, so it is cheap. */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Says why in the store's own words, or ours. */
  public StoreUnavailableException(String why) {
    super(why, null, false, false);
  }
}
