package io.weir.compat.stacks.spring.cost;

import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers as little as a controller can. Runs without Weir too: Java skips missing annotations. */
@SpringBootApplication
@RestController
public class CostApplication {
  static final String ANSWER = "hello, world";

  @GetMapping("/cost/free")
  String free() {
    return ANSWER;
  }

  /** Never refused. */
  @GetMapping("/cost/admitted")
  @RateLimit(limit = 1_000_000_000, window = 1, unit = ChronoUnit.MINUTES)
  String admitted() {
    return ANSWER;
  }

  /** Refused, all but the first request. */
  @GetMapping("/cost/refused")
  @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DAYS)
  String refused() {
    return ANSWER;
  }
}
