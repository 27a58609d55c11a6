package io.weir.spring.page;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import java.time.temporal.ChronoUnit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Has the limits by tier of docs/callers.md. */
@RestController
class OrdersController {
  @GetMapping("/orders")
  @RateLimit(limit = 10, window = 60, by = By.USER, tiers = @Tier(name = "premium", limit = 1000))
  String orders() {
    return "none";
  }

  @GetMapping("/exports")
  @RateLimit(
      limit = 20,
      refill = 10,
      window = 1,
      unit = ChronoUnit.HOURS,
      algorithm = Algorithm.TOKEN_BUCKET,
      by = By.USER,
      tiers = {
        @Tier(name = "basic", limit = 40),
        @Tier(name = "premium", limit = 100, refill = 100)
      })
  String exports() {
    return "none";
  }
}
