package io.weir.quarkus.deployment;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.inject.Singleton;

/** A bean with a limit, whoever calls it. */
@Singleton
public class Mailer {
  @RateLimit(limit = 1, window = 60, by = By.IP, name = "mail")
  public String send() {
    return "sent";
  }
}
