package io.weir.spring.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.RateLimitExceededException;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** A Mono whose subscriber leaves ends its call too. */
class CancelledMonoTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static class Search {
    @RateLimit(limit = 1, window = 3600, by = By.ENDPOINT, count = Count.SUCCESSES)
    public Mono<String> hit(boolean isThere) {
      return isThere ? Mono.just("hit") : Mono.never();
    }
  }

  @Test
  void aSubscriberThatLeavesBeforeTheValueGetsItsPermitBack() {
    Contexts.with(Search.class)
        .run(
            context -> {
              Search search = context.getBean(Search.class);
              Disposable waiting = search.hit(false).subscribe();
              assertThrows(
                  RateLimitExceededException.class, () -> search.hit(true).block(PATIENCE));
              waiting.dispose();
              assertEquals("hit", search.hit(true).block(PATIENCE));
              assertThrows(
                  RateLimitExceededException.class, () -> search.hit(true).block(PATIENCE));
            });
  }
}
