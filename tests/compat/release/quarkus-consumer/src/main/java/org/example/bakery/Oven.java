package org.example.bakery;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.temporal.ChronoUnit;

/** Bakes two cakes an hour. */
@ApplicationScoped
public class Oven {
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = By.ENDPOINT, name = "cakes")
  public String bake() {
    return "plum cake";
  }
}
