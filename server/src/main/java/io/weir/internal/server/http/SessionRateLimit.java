package io.weir.internal.server.http;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.access.Authentication;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits how many sessions a caller opens, since each is a row in the database. Counted like all
 * limits, together with the other servers. An outage of the store alone never refuses a session,
 * whatever the settings say, because operators end outages in the console.
 *
 * <p>Safe for concurrent use.
 */
final class SessionRateLimit {
  static final int MAX_PER_MINUTE = 5;

  private static final Policy POLICY =
      Policy.builder("weir-sessions")
          .limit(MAX_PER_MINUTE)
          .window(Duration.ofMinutes(1))
          .onStoreFailure(OnStoreFailure.LOCAL)
          .build();

  private final RateLimiter limiter;

  SessionRateLimit(RateLimiter limiter) {
    this.limiter = limiter;
  }

  /**
   * Counts a session of a user, or of a token if it has no user; returns the decision that refuses
   * it, if one does.
   */
  Optional<Decision> refusalOf(Authentication caller) {
    Key key =
        caller.identity().userId().map(Key::user).orElseGet(() -> Key.of("token " + caller.name()));
    Decision decision = limiter.tryAcquire(POLICY, key);
    return decision.admitted() || decision.reason() == Reason.STORE_UNAVAILABLE
        ? Optional.empty()
        : Optional.of(decision);
  }
}
