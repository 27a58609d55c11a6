package io.weir.internal.writeback;

import io.weir.internal.writeback.channel.SafeStoreListener;
import io.weir.internal.writeback.clock.NodeClock;
import io.weir.internal.writeback.clock.SafeScheduler;
import io.weir.internal.writeback.debt.OvershootShareHistory;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reports to the store every second that this node is alive, and keeps the number of live nodes.
 *
 * <p>Safe for concurrent use.
 */
final class Heartbeat {
  private static final long INTERVAL_MICROS = 1_000_000;

  private final LeasingStore store;
  private final String name;
  private final NodeClock clock;
  private final SafeScheduler scheduler;
  private final SafeStoreListener listener;
  private final OvershootShareHistory shares;
  private final AtomicLong beats = new AtomicLong();
  private volatile Counts counts = new Counts(List.of(), 0);
  private final CompletableFuture<Void> firstAnswer = new CompletableFuture<>();
  private volatile boolean closed;

  Heartbeat(
      LeasingStore store,
      String name,
      NodeClock clock,
      SafeScheduler scheduler,
      SafeStoreListener listener,
      OvershootShareHistory shares) {
    this.store = store;
    this.name = name;
    this.clock = clock;
    this.scheduler = scheduler;
    this.listener = listener;
    this.shares = shares;
  }

  /** Starts the heartbeats; called once. */
  void start() {
    scheduler.runAfter(0, this::beat);
  }

  private void beat() {
    if (closed) {
      return;
    }
    scheduler.runAfter(INTERVAL_MICROS, this::beat); // first, so that no failure ends it
    long number = beats.incrementAndGet();
    long now = clock.micros();
    shares.ask(now);
    try {
      store
          .heartbeat(name)
          .whenComplete((answer, failure) -> answered(number, now, answer, failure));
    } catch (RuntimeException | Error broken) {
      answered(number, now, null, broken);
    }
  }

  private void answered(
      long number, long askedAt, @Nullable Membership answer, @Nullable Throwable failure) {
    if (answer == null) {
      listener.failed(failure != null ? failure : new IllegalStateException("no membership"));
      return;
    }
    listener.answered(); // a node without requests learns of the end of an outage by this
    if (number == beats.get()) { // an older one may be out of date
      counts = counts.and(answer.live());
      shares.granted(answer.share(), askedAt, clock.micros());
      firstAnswer.complete(null);
    }
  }

  /** Completed when the store has said for the first time how many nodes are alive. */
  CompletableFuture<Void> firstAnswer() {
    return firstAnswer;
  }

  /**
   * Returns the number of live nodes: the most that the last answers counted, and at least the
   * given number until there were enough answers. Of nodes that start together, the first see only
   * themselves and a few others, and would take too large a share, and for long if the store fails
   * soon after.
   */
  int nodes(int otherwise) {
    Counts all = counts;
    return all.last().size() < Counts.REMEMBERED ? Math.max(all.most(), otherwise) : all.most();
  }

  /**
   * The counts of the last answers: as many answers as come while the store remembers a silent
   * node. Immutable.
   */
  private record Counts(List<Integer> last, int most) {
    static final int REMEMBERED = (int) (LeasingStore.MEMBERSHIP_MICROS / INTERVAL_MICROS) + 1;

    Counts and(int live) {
      List<Integer> next = Stream.concat(Stream.of(live), last.stream()).limit(REMEMBERED).toList();
      return new Counts(next, Collections.max(next));
    }
  }

  void close() {
    closed = true;
  }
}
