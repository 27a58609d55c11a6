package io.weir.compat.stack;

import io.weir.annotation.RateLimit;

/** Carries a limit that nothing applies, since no adapter knows what calls the class. */
public final class UnlimitedBean {
  /** Called by Java. */
  public UnlimitedBean() {}

  /** Has a limit. */
  @RateLimit(limit = 1, window = 60)
  public void call() {}
}
