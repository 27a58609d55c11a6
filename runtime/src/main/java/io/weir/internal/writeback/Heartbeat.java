package io.weir.internal.writeback;

import io.weir.internal.clock.NodeClock;
import io.weir.internal.clock.SafeScheduler;
import io.weir.internal.writeback.channel.SafeStoreListener;
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
 * Reports to the store that this node is alive, every second while there are up to 100 nodes and
 * less often if there are more, and keeps the number of live nodes.
 *
 * <p>A heartbeat that fails is no outage while the store answers anything else.
 *
 * <p>Safe for concurrent use.
 */
final class Heartbeat {
  /** The part of an interval, longer than a second, by which nodes that began together spread. */
  private static final int SPREAD = 8;

  private static final long SHORTEST_MICROS =
      LeasingStore.MEMBERSHIP_MICROS / LeasingStore.REMEMBERED_HEARTBEATS;

  private final LeasingStore store;
  private final String name;
  private final NodeClock clock;
  private final SafeScheduler scheduler;
  private final SafeStoreListener listener;
  private final OvershootShareHistory shares;
  private final AtomicLong beats = new AtomicLong();
  private volatile Counts counts = new Counts(List.of(), 0);
  private final CompletableFuture<Void> firstAnswer = new CompletableFuture<>();
  private volatile int lastLive = 1;
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
    long number = beats.incrementAndGet();
    scheduler.runAfter(interval(number), this::beat); // first, so that no failure ends it
    long now = clock.micros();
    shares.ask(now);
    boolean healthy = listener.hasAnswered();
    listener.resetAnswered();
    try {
      store
          .heartbeat(name)
          .whenComplete((answer, failure) -> answered(number, now, healthy, answer, failure));
    } catch (RuntimeException | Error broken) {
      answered(number, now, healthy, null, broken);
    }
  }

  /**
   * Returns the time until the next heartbeat. All nodes together send at most about a hundred a
   * second, and none is forgotten before it has failed three times in a row.
   */
  private long interval(long number) {
    long interval = LeasingStore.membershipMicros(lastLive) / LeasingStore.REMEMBERED_HEARTBEATS;
    long spread = interval > SHORTEST_MICROS ? interval / SPREAD : 1;
    return Math.max(
        SHORTEST_MICROS, interval - Math.floorMod(name.hashCode() + number * 7_919, spread));
  }

  private void answered(
      long number,
      long askedAt,
      boolean healthy,
      @Nullable Membership answer,
      @Nullable Throwable failure) {
    if (answer == null) {
      if (!healthy && !listener.hasAnswered()) { // nothing since the heartbeat before this one
        listener.failed(failure != null ? failure : new IllegalStateException("no membership"));
      }
      return;
    }
    listener.answered(); // a node without requests learns of the end of an outage by this
    if (number == beats.get()) { // an older one may be out of date
      lastLive = answer.live();
      counts = counts.and(answer.live());
      shares.granted(answer, askedAt, clock.micros());
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
   * Returns the number of parts into which a limit is divided while the store is away: the number
   * of nodes, and where heartbeats are more than a second apart, a quarter more. Of nodes that
   * joined in the last interval or two, those that were there before haven't heard yet, so these
   * take a part each of n, and the j new ones one of n + j: together more than the whole. With a
   * quarter more parts that is n / 1.25 n + j / 1.25 (n + j), the whole at most while a third join.
   */
  int parts(int otherwise) {
    int nodes = nodes(otherwise);
    boolean late = LeasingStore.membershipMicros(nodes) > LeasingStore.MEMBERSHIP_MICROS;
    return late ? nodes + (nodes + 3) / 4 : nodes;
  }

  /**
   * The counts of the last answers: as many answers as come while the store remembers a silent
   * node. Immutable.
   */
  private record Counts(List<Integer> last, int most) {
    static final int REMEMBERED = LeasingStore.REMEMBERED_HEARTBEATS + 1;

    Counts and(int live) {
      List<Integer> next = Stream.concat(Stream.of(live), last.stream()).limit(REMEMBERED).toList();
      return new Counts(next, Collections.max(next));
    }
  }

  void close() {
    closed = true;
  }
}
