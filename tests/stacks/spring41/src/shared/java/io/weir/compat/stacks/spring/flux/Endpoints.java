package io.weir.compat.stacks.spring.flux;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.time.Duration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The endpoints of the checks. */
@RestController
class Endpoints {
  private static final Duration LATER = Duration.ofMillis(1);

  @GetMapping("/ip")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "ip")
  Mono<String> ip() {
    return Mono.just("ip");
  }

  @GetMapping("/user")
  @RateLimit(limit = 3, window = 60, by = By.USER, name = "user")
  Mono<String> user() {
    return Mono.just("user");
  }

  @GetMapping("/key")
  @RateLimit(limit = 3, window = 60, by = By.KEY, key = "header:X-Api-Key", name = "key")
  Mono<String> key() {
    return Mono.just("key");
  }

  /** Answers from another thread. */
  @GetMapping("/async")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "async")
  Mono<String> async() {
    return Mono.delay(LATER).thenReturn("async");
  }

  @GetMapping("/mapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, name = "mapped")
  Mono<String> mapped() {
    return Mono.error(new ExpectedException());
  }

  /** Succeeds or fails as the request says. */
  @GetMapping("/failures")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures")
  Mono<String> failures(@RequestParam(name = "status", defaultValue = "200") int status) {
    if (status == 422) {
      return Mono.error(new UnprocessableException());
    }
    return Mono.just("fine");
  }

  /** The same from another thread. */
  @GetMapping("/failures-async")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "failures-async")
  Mono<String> failuresAsync(@RequestParam(name = "status", defaultValue = "200") int status) {
    return Mono.delay(LATER)
        .flatMap(
            zero -> status == 422 ? Mono.error(new UnprocessableException()) : Mono.just("fine"));
  }

  @GetMapping("/unmapped")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.FAILURES, name = "unmapped")
  Mono<String> unmapped() {
    throw new IllegalStateException("on purpose");
  }

  @GetMapping("/unmapped-success")
  @RateLimit(limit = 3, window = 60, by = By.IP, count = Count.SUCCESSES, name = "unmapped-success")
  Mono<String> unmappedSuccess() {
    throw new IllegalStateException("on purpose");
  }

  @GetMapping("/free")
  Mono<String> free() {
    return Mono.just("free");
  }

  @GetMapping("/items/{id}")
  Mono<String> item(@PathVariable("id") String id) {
    return Mono.just(id);
  }
}
