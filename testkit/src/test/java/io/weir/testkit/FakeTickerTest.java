package io.weir.testkit;

import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FakeTickerTest {
  private final FakeTicker ticker = new FakeTicker(Instant.EPOCH);

  @Test
  void movesBothClocksOnlyWhenTold() {
    long before = ticker.nanoTime();
    assertEquals(0, ticker.epochMicros());

    ticker.advance(Duration.ofNanos(1_500));

    assertEquals(1_500, ticker.nanoTime() - before);
    assertEquals(1, ticker.epochMicros());
  }

  @Test
  void jumpsTheWallAndLeavesTheMonotonicTimeAlone() {
    long before = ticker.nanoTime();

    ticker.jumpWall(Duration.ofHours(-1));
    assertEquals(-3_600_000_000L, ticker.epochMicros());
    ticker.setWall(Instant.ofEpochSecond(7));
    assertEquals(7_000_000, ticker.epochMicros());

    assertEquals(before, ticker.nanoTime());
  }

  @Test
  void neverRunsBack() {
    assertThrows(IllegalArgumentException.class, () -> ticker.advance(Duration.ofNanos(-1)));
  }

  @Test
  void letsUsersTestTheirLimitsWithoutSleeping() {
    Policy policy = Policy.builder("signup").limit(1).window(Duration.ofMinutes(1)).build();
    try (RateLimiter limiter = RateLimiter.builder().ticker(ticker).build()) {
      assertThat(limiter.tryAcquire(policy, Key.of("alice"))).admitted().hasRemaining(0);
      Decision second = limiter.tryAcquire(policy, Key.of("alice"));
      assertThat(second).refused();
      assertThat(limiter.tryAcquire(policy, Key.of("bob"))).admitted();

      ticker.advance(second.retryAfter());
      assertThat(limiter.tryAcquire(policy, Key.of("alice"))).admitted();
    }
  }
}
