package io.weir.compat.aspectj;

import io.weir.annotation.RateLimit;

/** Has a mistake in its annotation. */
public class Mistaken {
  @RateLimit(limit = 0, window = 60)
  public void nothingAtAll() {}
}
