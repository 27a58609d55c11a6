package io.weir.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import reactor.core.publisher.Flux;

/** Has methods that return flows of Kotlin. */
@Requires(property = "test.shop")
@Controller(value = "/shop/flowing", produces = MediaType.TEXT_PLAIN)
class Flowing {
  private final Rolls rolls;

  Flowing(Rolls rolls) {
    this.rolls = rolls;
  }

  private static Flow<String> flow(boolean fail) {
    return ReactiveFlowKt.asFlow(
        fail ? Flux.error(new IllegalStateException("on purpose")) : Flux.just("a", "b"));
  }

  @Get("/requests")
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "flow-requests")
  Flow<String> requests() {
    return flow(false);
  }

  @Get("/failures")
  @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "flow-failures")
  Flow<String> failures(@QueryValue boolean fail) {
    return flow(fail);
  }

  @Get("/rolls/{kind}")
  Flow<String> rolls(String kind) {
    return rolls.take(kind);
  }

  /** A bean whose flows are limited. */
  @Requires(property = "test.shop")
  @Singleton
  static class Rolls {
    final AtomicInteger taken = new AtomicInteger();

    @RateLimit(
        limit = 2,
        window = 60,
        by = {By.IP, By.KEY},
        key = "param:kind",
        count = Count.FAILURES,
        name = "flow-rolls")
    Flow<String> take(String kind) {
      taken.incrementAndGet();
      return flow(kind.equals("none"));
    }
  }
}
