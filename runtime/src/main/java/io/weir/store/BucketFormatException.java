package io.weir.store;

/**
 * The bytes that a store kept of a bucket can't be read: they are damaged, or a later version of
 * Weir, an algorithm or a setting that isn't this bucket's wrote them. The message names the rule
 * that they break.
 */
public final class BucketFormatException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Says what is wrong.
   *
   * @param message the rule, and what was found instead
   */
  public BucketFormatException(String message) {
    super(message);
  }
}
