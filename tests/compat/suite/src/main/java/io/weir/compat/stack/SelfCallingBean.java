package io.weir.compat.stack;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.enterprise.context.ApplicationScoped;

/** Calls a limited method on itself, which no container of Jakarta EE sees. */
@ApplicationScoped
public class SelfCallingBean {
  /** Called by the container. */
  public SelfCallingBean() {}

  /** Has a limit. */
  @RateLimit(limit = 2, window = 3_600, by = By.IP)
  public void send() {}

  /** Bypasses it. */
  public void sendTwice() {
    send();
    send();
  }
}
