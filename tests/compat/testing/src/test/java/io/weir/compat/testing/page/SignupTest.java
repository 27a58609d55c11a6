package io.weir.compat.testing.page;

import static io.weir.testkit.DecisionAssert.assertThat;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.junit.WeirTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@WeirTest
class SignupTest {
  private final Policy policy =
      Policy.builder("signup").limit(1).window(Duration.ofMinutes(1)).build();

  @Test
  void admitsAgainAfterTheWindow(RateLimiter limiter, FakeTicker ticker) {
    assertThat(limiter.tryAcquire(policy, Key.of("alice"))).admitted().hasRemaining(0);
    Decision second = limiter.tryAcquire(policy, Key.of("alice"));
    assertThat(second).refused();

    ticker.advance(second.retryAfter());
    assertThat(limiter.tryAcquire(policy, Key.of("alice"))).admitted();
  }
}
