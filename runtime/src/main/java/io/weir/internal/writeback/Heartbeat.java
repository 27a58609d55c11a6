package io.weir.internal.writeback;

import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
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
  private final SafeScheduler timers;
  private final OvershootShares shares;
  private final AtomicLong beats = new AtomicLong();
  private volatile Counts counts = new Counts(List.of(), 0);
  private final CompletableFuture<Void> heard = new CompletableFuture<>();
  private volatile boolean closed;

  Heartbeat(
      LeasingStore store,
      String name,
      NodeClock clock,
      SafeScheduler timers,
      OvershootShares shares) {
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
      counts = counts.and(answer.live());
      shares.granted(answer.share(), askedAt, clock.micros());
      heard.complete(null);
    }
  }

  /** Completed when the store has told for the first time how many nodes live. */
  CompletableFuture<Void> heard() {
    return heard;
  }

  /**
   * How many nodes live: the most that the last answers counted, and as many as given in place of
   * one that hasn't come yet. Nodes that start together, or find an empty store together, first see
   * but those that were quicker, and each would take too large a share; and if the store is away
   * again before the others were heard, for long.
   */
  int nodes(int otherwise) {
    Counts all = counts;
    return all.last().size() < Counts.REMEMBERED ? Math.max(all.most(), otherwise) : all.most();
  }

  /**
   * What the last answers counted: as many as come while a node is remembered that is silent, since
   * for so long nobody is gone. Immutable.
   */
  private record Counts(List<Integer> last, int most) {
    static final int REMEMBERED = (int) (LeasingStore.MEMBERSHIP_MICROS / EACH_MICROS) + 1;

    Counts and(int live) {
      List<Integer> next = Stream.concat(Stream.of(live), last.stream()).limit(REMEMBERED).toList();
      return new Counts(next, Collections.max(next));
    }
  }

  void close() {
    closed = true;
  }
}
