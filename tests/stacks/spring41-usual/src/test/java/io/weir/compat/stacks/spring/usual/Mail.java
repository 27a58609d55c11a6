package io.weir.compat.stacks.spring.usual;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;

/** Sends mails. */
public interface Mail {
  /** Sends at most two a minute to one recipient. */
  @RateLimit(limit = 2, window = 60, by = By.KEY, key = "param:recipient", name = "mail")
  void send(String recipient);
}
