package io.weir.spring.moving.after;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import java.time.temporal.ChronoUnit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The endpoint of the page, with Weir. */
@RestController
class AreaController {
  @GetMapping("/area")
  @RateLimit(
      limit = 20,
      window = 1,
      unit = ChronoUnit.HOURS,
      algorithm = Algorithm.TOKEN_BUCKET,
      by = By.KEY,
      key = "header:X-Api-Key",
      tiers = {@Tier(name = "basic", limit = 40), @Tier(name = "professional", limit = 100)})
  double area(@RequestParam double length, @RequestParam double width) {
    return length * width;
  }
}
