package io.weir.writeback;

import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Tells the store every second that this node lives, and notes how many do.
 *
 * <p>Safe for concurrent use.
 */
final class Heartbeat {
  private static final long EACH_MICROS = 1_000_000;

  private final LeasingStore store;
  private final String name;
  private final NodeClock clock;
  private final Timers timers;
  private final Shares shares;
  private final AtomicLong beats = new AtomicLong();
  private volatile int live;
  private volatile int liveBefore;
  private volatile boolean closed;

  Heartbeat(LeasingStore store, String name, NodeClock clock, Timers timers, Shares shares) {
    this.store = store;
    this.name = name;
    this.clock = clock;
    this.timers = timers;
    this.shares = shares;
  }

  /** Begins to beat; called once. */
  void start() {
    timers.after(0, this::beat);
  }

  private void beat() {
    if (closed) {
      return;
    }
    timers.after(EACH_MICROS, this::beat); // first, so that no failure ends it
    long number = beats.incrementAndGet();
    long now = clock.micros();
    shares.ask(now);
    try {
      store.heartbeat(name).whenComplete((answer, failure) -> heard(number, now, answer, failure));
    } catch (RuntimeException | Error broken) {
      heard(number, now, null, broken);
    }
  }

  private void heard(
      long number, long askedAt, @Nullable Membership answer, @Nullable Throwable failure) {
    if (answer == null) {
      timers
          .reports()
          .failed(failure != null ? failure : new IllegalStateException("no membership"));
    } else if (number == beats.get()) { // an older one says what may be true no more
      liveBefore = live;
      live = answer.live();
      shares.granted(answer.share(), askedAt, clock.micros());
    }
  }

  /**
   * How many nodes live: the most that the last two answers counted, and as many as given in place
   * of one that hasn't come yet. Nodes that start together, or find an empty store together, first
   * see but those that were quicker, and each would take too large a share.
   */
  int nodes(int otherwise) {
    int known = live;
    int before = liveBefore;
    return Math.max(known == 0 ? otherwise : known, before == 0 ? otherwise : before);
  }

  void close() {
    closed = true;
  }
}
