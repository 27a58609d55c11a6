package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.OnStoreFailure;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The wait of a request for a policy source counts towards its time-out. */
class WaitedBeforeTest {
  private static final Duration HOUR = Duration.ofHours(1);

  /** Never answers. */
  private static final class Silent implements PermitStore {
    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      return new CompletableFuture<>();
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private static List<PermitRequest> ask() {
    Policy policy =
        Policy.builder("any")
            .limit(5)
            .window(Duration.ofMinutes(1))
            .onStoreFailure(OnStoreFailure.CLOSED)
            .build();
    return List.of(new PermitRequest(policy, Key.of("k")));
  }

  @Test
  @Timeout(60)
  void whoHasWaitedForAllOfTheTimeOutDoesntWaitForTheStore() throws Exception {
    try (RateLimiter limiter =
        RateLimiter.builder().store(new Silent()).storeTimeout(HOUR).build()) {
      InternalRateLimiter waiting = InternalRateLimiter.of(limiter);
      Decision blocking = waiting.tryAcquire(ask(), HOUR.toNanos());
      assertTrue(blocking.degraded());
      Decision asynchronous =
          waiting
              .tryAcquireAsync(ask(), HOUR.toNanos(), null)
              .toCompletableFuture()
              .get(120, TimeUnit.SECONDS);
      assertTrue(asynchronous.degraded());
    }
  }

  @Test
  void whatNeedsNoStoreIsDecidedAllTheSame() {
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      Decision decision = InternalRateLimiter.of(limiter).tryAcquire(ask(), HOUR.toNanos());
      assertTrue(decision.admitted());
      assertEquals(4, decision.remaining());
    }
  }
}
