package io.weir.compat.stacks.micronaut4.cost;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;

/**
 * Answers as little as a controller can. Runs without Weir too: missing annotations are skipped.
 */
@Requires(property = "weir.test.cost")
@Controller("/cost")
class CostController {
  private static final String ANSWER = "hello, world";

  @Get("/free")
  String free() {
    return ANSWER;
  }

  /** Never refused. */
  @Get("/admitted")
  @RateLimit(limit = 1_000_000_000, window = 1, unit = ChronoUnit.MINUTES)
  String admitted() {
    return ANSWER;
  }

  /** Refused, all but the first request. */
  @Get("/refused")
  @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DAYS)
  String refused() {
    return ANSWER;
  }
}
