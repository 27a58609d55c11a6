package org.example.shop;

import static io.weir.testkit.DecisionAssert.assertThat;

import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An application's own test, without sleeping. */
class SignupTest {
  private final FakeTicker ticker = new FakeTicker();

  @Test
  void onePerMinute() {
    Policy policy = Policy.builder("signup").limit(1).window(Duration.ofMinutes(1)).build();
    try (RateLimiter limiter = RateLimiter.builder().ticker(ticker).build()) {
      assertThat(limiter.tryAcquire(policy, Key.of("eve"))).admitted();
      assertThat(limiter.tryAcquire(policy, Key.of("eve"))).refused();
      ticker.advance(Duration.ofMinutes(2));
      assertThat(limiter.tryAcquire(policy, Key.of("eve"))).admitted();
    }
  }
}
