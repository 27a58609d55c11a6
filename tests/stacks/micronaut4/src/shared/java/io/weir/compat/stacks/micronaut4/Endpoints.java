package io.weir.compat.stacks.micronaut4;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** The endpoints of the checks. */
@Controller
class Endpoints {
  private static final Duration LATER = Duration.ofMillis(1);

  @Get("/ip")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
  Mono<String> ip() {
    return Mono.just("ip");
  }

  @Get("/user")
  @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
  Mono<String> user() {
    return Mono.just("user");
  }

  @Get("/key")
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "key")
  Mono<String> key() {
    return Mono.just("key");
  }

  /** Answers from another thread. */
  @Get("/async")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
  Mono<String> async() {
    return Mono.delay(LATER).thenReturn("async");
  }

  @Get("/mapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
  Mono<String> mapped() {
    return Mono.error(new ExpectedException());
  }

  /** Succeeds or fails as the request says. */
  @Get("/failures")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
  Mono<String> failures(@QueryValue(defaultValue = "200") int status) {
    if (status == 422) {
      return Mono.error(new UnprocessableException());
    }
    return Mono.just("fine");
  }

  /** The same from another thread. */
  @Get("/failures-async")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
  Mono<String> failuresAsync(@QueryValue(defaultValue = "200") int status) {
    return Mono.delay(LATER)
        .flatMap(
            zero -> status == 422 ? Mono.error(new UnprocessableException()) : Mono.just("fine"));
  }

  @Get("/unmapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
  Mono<String> unmapped() {
    throw new IllegalStateException("on purpose");
  }

  @Get("/unmapped-success")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.SUCCESSES, name = "unmapped-success")
  Mono<String> unmappedSuccess() {
    throw new IllegalStateException("on purpose");
  }

  @Get("/free")
  Mono<String> free() {
    return Mono.just("free");
  }

  @Get("/items/{id}")
  Mono<String> item(@PathVariable String id) {
    return Mono.just(id);
  }
}
