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
 * Bounds how many sessions a subject opens: each of them is a row in the database. Counts as all
 * limits are counted, together with the other servers. Without the store nobody is refused for that
 * alone, whatever the settings say: an outage is mended on the pages.
 *
 * <p>Safe for concurrent use.
 */
final class SessionRateLimit {
  static final int MOST_A_MINUTE = 5;

  private static final Policy POLICY =
      Policy.builder("weir-sessions")
          .limit(MOST_A_MINUTE)
          .window(Duration.ofMinutes(1))
          .onStoreFailure(OnStoreFailure.LOCAL)
          .build();

  private final RateLimiter limiter;

  SessionRateLimit(RateLimiter limiter) {
    this.limiter = limiter;
  }

  /**
   * Counts a session of a user, else of the token of that name.
   *
   * @return what refuses it; empty if it may be opened
   */
  Optional<Decision> refusalOf(Authentication who) {
    Key key = who.identity().userId().map(Key::user).orElseGet(() -> Key.of("token " + who.name()));
    Decision decision = limiter.tryAcquire(POLICY, key);
    return decision.admitted() || decision.reason() == Reason.STORE_UNAVAILABLE
        ? Optional.empty()
        : Optional.of(decision);
  }
}
