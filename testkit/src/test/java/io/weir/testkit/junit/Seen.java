package io.weir.testkit.junit;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.Weir;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Collects what the cases of {@link WeirTestTest} were given. */
final class Seen {
  static final Policy ONE = Policy.builder("one").limit(1).window(Duration.ofMinutes(1)).build();

  private static final Collection<Weir> WEIRS = new ConcurrentLinkedQueue<>();

  private Seen() {}

  static void forget() {
    WEIRS.clear();
  }

  static void add(Weir weir) {
    WEIRS.add(weir);
  }

  /** Takes the only permit of a minute, which fails if another test has taken it. */
  static void takeTheOnlyPermit(RateLimiter limiter) {
    if (!limiter.tryAcquire(ONE, Key.of("alice")).admitted()) {
      throw new AssertionError("another test has taken the permit");
    }
  }

  /** Returns the different ones that were given, in no order. */
  static Set<Weir> weirs() {
    Set<Weir> different = Collections.newSetFromMap(new IdentityHashMap<>());
    different.addAll(WEIRS);
    return different;
  }

  static boolean isClosed(Weir weir) {
    Decision decision = weir.limiter().tryAcquire(ONE, Key.of("bob"));
    return !decision.admitted() && decision.reason() == Reason.STORE_UNAVAILABLE;
  }
}
