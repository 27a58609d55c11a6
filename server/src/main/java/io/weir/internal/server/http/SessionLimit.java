package io.weir.internal.server.http;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.internal.server.access.SignedIn;
import java.time.Duration;

/**
 * Bounds how many sessions a subject opens: each of them is a row in the database. Counts as all
 * limits are counted, together with the other servers.
 *
 * <p>Safe for concurrent use.
 */
final class SessionLimit {
  static final int MOST_A_MINUTE = 5;

  private static final Policy POLICY =
      Policy.builder("weir-sessions").limit(MOST_A_MINUTE).window(Duration.ofMinutes(1)).build();

  private final RateLimiter limiter;

  SessionLimit(RateLimiter limiter) {
    this.limiter = limiter;
  }

  /** Counts a session of a user, else of whoever has a token of that name. */
  Decision tryOpen(SignedIn who) {
    return limiter.tryAcquire(
        POLICY,
        who.access().userId().map(Key::user).orElseGet(() -> Key.of("token " + who.name())));
  }
}
