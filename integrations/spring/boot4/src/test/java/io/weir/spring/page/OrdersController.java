package io.weir.spring.page;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Has the limit by tier of docs/callers.md. */
@RestController
class OrdersController {
  @GetMapping("/orders")
  @RateLimit(limit = 10, window = 60, by = By.USER, tiers = @Tier(name = "premium", limit = 1000))
  String orders() {
    return "none";
  }
}
