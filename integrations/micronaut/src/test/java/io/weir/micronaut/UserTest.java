package io.weir.micronaut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.weir.RateLimitExceededException;
import io.weir.testkit.FakeTicker;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A test as an application has it, of limits whose time only the test moves. */
@MicronautTest(startApplication = false)
@Property(name = "test.user", value = "true")
class UserTest {
  @Inject Stock stock;
  @Inject FakeTicker ticker;

  /** Applications need no condition: all their tests may have it. */
  @Requires(property = "test.user")
  @Factory
  static class Clock {
    @Singleton
    FakeTicker ticker() {
      return new FakeTicker();
    }
  }

  @Test
  void theLimitIsReachedAndForgotten() {
    stock.take("tea");
    stock.take("tea");
    assertThrows(RateLimitExceededException.class, () -> stock.take("tea"));

    ticker.advance(Duration.ofSeconds(61));
    assertEquals("tea", stock.take("tea"));
  }
}
