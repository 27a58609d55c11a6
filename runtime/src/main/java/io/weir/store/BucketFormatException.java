package io.weir.store;

/**
 * Thrown if the stored bytes of a bucket can't be read: they are damaged, or were written by a
 * later version of Weir, or with another algorithm or setting than this bucket's. The message names
 * the rule that they break.
 */
public final class BucketFormatException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Makes the exception.
   *
   * @param message the rule, and what was found instead
   */
  public BucketFormatException(String message) {
    super(message);
  }
}
