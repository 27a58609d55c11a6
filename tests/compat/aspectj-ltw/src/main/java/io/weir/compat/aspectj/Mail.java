package io.weir.compat.aspectj;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;

/** An interface with limits. */
public interface Mail {
  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  String deliver();

  @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
  default String bounce() {
    return "bounced";
  }
}
