package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Ticker;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Logs how many requests policies in shadow mode would have refused: the first at once, then at
 * most one line a minute for each policy. Doesn't log callers.
 *
 * <p>Safe for concurrent use.
 */
final class ShadowLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();

  private final Ticker ticker;

  /** By the names of policies, whose number the application bounds. */
  private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

  ShadowLog(Ticker ticker) {
    this.ticker = ticker;
  }

  void decided(Decision part) {
    if (part.outcome() == Outcome.SHADOW_REFUSED) {
      long now = ticker.nanoTime();
      tallies.computeIfAbsent(part.policy().name(), name -> new Tally(now)).add(part, now);
    }
  }

  /** Counts the refusals of one policy since its last line. */
  private static final class Tally {
    private final LongAdder refusals = new LongAdder();
    private final AtomicLong next;

    Tally(long now) {
      this.next = new AtomicLong(now);
    }

    void add(Decision part, long now) {
      refusals.increment();
      long due = next.get();
      // Of several threads one writes the line.
      if (now - due >= 0 && next.compareAndSet(due, now + PAUSE)) {
        LOG.log(Level.INFO, line(part.policy().name(), refusals.sumThenReset()));
      }
    }

    private static String line(String policy, long count) {
      String requests = count == 1 ? "1 request" : count + " requests";
      return "Policy " + policy + " is in shadow mode; it would have refused " + requests + ".";
    }
  }
}
