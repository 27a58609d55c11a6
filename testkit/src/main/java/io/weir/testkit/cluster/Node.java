package io.weir.testkit.cluster;

import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Mode;
import io.weir.internal.permits.RequestDecision;
import io.weir.store.BucketId;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a machine with a limiter on it. Its work waits while it is paused, and is dropped once
 * it has crashed.
 *
 * <p>Confine to one thread.
 */
final class Node implements Executor {
  private static final long CLOSE_AGAIN = 1_000;

  /** A node notices within a millisecond of its clock that it was suspended. */
  private static final long WAKING = 2_000;

  private final int number;
  private final VirtualTime time;
  private final VirtualClock clock;
  private final Ledger ledger;
  private final Recorder recorder;
  private final long localStart;
  private final long localNanos;
  private @Nullable RateLimiter limiter;
  private @Nullable Link link;
  private int nodes;
  private boolean dead;
  private long deadSince = Long.MAX_VALUE;
  private long outOfReachUntil = Long.MIN_VALUE;
  private final Map<Integer, Knows> knows = new HashMap<>();
  private boolean cut;
  private boolean refused;
  private long pausedUntil = Long.MIN_VALUE;
  private long undecided;
  private LongSupplier held = () -> 0;

  /** Its way to the store. */
  interface Link {
    /** Returns whether no message is under way. */
    boolean isIdle();

    /** From now on answers or fails at once, so that a caller may wait for it. */
    void answerAtOnce();
  }

  Node(
      int number,
      VirtualTime time,
      VirtualClock clock,
      Ledger ledger,
      Recorder recorder,
      int nodes) {
    this.number = number;
    this.time = time;
    this.clock = clock;
    this.ledger = ledger;
    this.recorder = recorder;
    this.nodes = nodes;
    this.localStart = clock.epochMicros();
    this.localNanos = clock.nanoTime();
  }

  void runs(RateLimiter made, Link its) {
    limiter = made;
    link = its;
  }

  @Override
  public void execute(Runnable work) {
    if (dead) {
      return;
    }
    if (time.now() < pausedUntil) {
      time.at(pausedUntil, () -> execute(work));
    } else {
      work.run();
    }
  }

  /**
   * Decides a request as soon as the node runs, and passes on the decision unless that fails, with
   * when the permits of its parts were spent.
   */
  void request(List<PermitRequest> asks, BiConsumer<Decision, List<Spending>> decided) {
    execute(
        () -> {
          undecided++;
          long began = time.now();
          for (PermitRequest ask : asks) {
            ledger.asked(bucket(ask), began);
          }
          CompletionStage<Decision> stage = limiter().tryAcquireAsync(asks);
          boolean[] done = {false};
          stage.whenComplete(
              (decision, failure) -> {
                done[0] = true;
                conclude(decision, failure, began, asks, decided);
              });
          if (!done[0]) {
            recorder.waits();
          }
        });
  }

  private void conclude(
      @Nullable Decision decision,
      @Nullable Throwable failure,
      long began,
      List<PermitRequest> asks,
      BiConsumer<Decision, List<Spending>> decided) {
    undecided--;
    if (pausedUntil < began) {
      recorder.took(time.now() - began);
    }
    if (decision == null || failure != null) {
      recorder.failed();
      return;
    }
    decided.accept(decision, decision.admitted() ? enter(decision, asks, began) : List.of());
  }

  private List<Spending> enter(Decision decision, List<PermitRequest> asks, long began) {
    List<Decision> parts = decision.parts();
    List<Spending> spent = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      Decision part = parts.get(i);
      BucketId bucket = bucket(asks.get(i));
      Spending when = Spending.ungranted(time.now());
      if (part.degraded()) {
        ledger.owes(bucket, part.permits(), time.now());
      } else if (part.permits() > 0) {
        boolean alone = parts.size() == 1 && part.policy().mode() != Mode.ELASTIC; // which peeks
        when = ledger.spent(bucket, stamp(part), part.permits(), began, alone, time.now());
      }
      spent.add(when);
    }
    return spent;
  }

  /** Gives an admission back, as a response does that isn't counted. */
  void refund(Decision decision) {
    for (Decision part : decision.parts()) {
      BucketId bucket = new BucketId(part.policy().spec(), part.key());
      if (part.degraded()) {
        ledger.forgiven(bucket, part.permits());
      } else if (part.permits() > 0) {
        ledger.refunded(bucket, stamp(part), part.permits());
      }
    }
    limiter().refund(decision);
  }

  /** Describes an admission. */
  Admission admission(Decision part, long permits, Spending spent) {
    Policy policy = part.policy();
    BucketId bucket = new BucketId(policy.spec(), part.key());
    long awake = (clock.nanoTime() - localNanos) / 1_000;
    long nodeTime = localStart + awake + clock.suspended();
    return new Admission(
        policy,
        bucket,
        number,
        time.now(),
        spent.at(),
        spent.slotEnd(),
        nodeTime,
        permits,
        stamp(part),
        part.degraded(),
        nodes);
  }

  private static BucketId bucket(PermitRequest ask) {
    return new BucketId(ask.policy().spec(), ask.key());
  }

  private RateLimiter limiter() {
    return Objects.requireNonNull(limiter, "no limiter yet");
  }

  private Link link() {
    return Objects.requireNonNull(link, "no limiter yet");
  }

  /** Closes the limiter when nothing is on its way, so that closing takes no time. */
  void close() {
    deadSince = Math.min(deadSince, time.now());
    execute(
        () -> {
          if (link().isIdle()) {
            link().answerAtOnce();
            limiter().close();
          } else {
            time.after(CLOSE_AGAIN, this::close);
          }
        });
  }

  void holds(LongSupplier buckets) {
    held = buckets;
  }

  long holding() {
    return held.getAsLong();
  }

  void crash() {
    dead = true;
    deadSince = Math.min(deadSince, time.now());
  }

  void pause(long until) {
    pausedUntil = Math.max(pausedUntil, until);
    outOfReach(until);
  }

  /** Stands still, and so does the monotonic clock but for its last two milliseconds. */
  void suspend(long until) {
    if (paused()) {
      return;
    }
    long asleep = until - time.now();
    time.at(until, () -> clock.wasSuspended(asleep));
    pause(until + WAKING);
  }

  /** Notes that the store is out of reach until a time. */
  void outOfReach(long until) {
    outOfReachUntil = Math.max(outOfReachUntil, until);
  }

  /**
   * The time at which the store first reported the epoch of a partition, and whether it reported a
   * loss.
   */
  private record Knows(long since, boolean warned) {}

  /** Notes that the store has reported the epoch of a partition. */
  void knows(int partition, boolean lost, long now) {
    knows.putIfAbsent(partition, new Knows(now, lost));
  }

  /**
   * Returns the stamp that the store gave the permits of a decision; a node adds bits to far ones.
   */
  private static long stamp(Decision part) {
    long stamp = RequestDecision.cast(part).stamp();
    return stamp >= 1L << 62 ? stamp & (1L << 52) - 1 : stamp;
  }

  /**
   * Returns whether it took permits from a partition before it knew that the partition had lost
   * data.
   */
  boolean cameFirst(int partition, long lost) {
    Knows first = knows.get(partition);
    return first != null && first.since() > lost && !first.warned();
  }

  /** Returns whether it could exchange messages with the store from one time until now. */
  boolean couldTell(long from, long to) {
    return deadSince > to && !cut && outOfReachUntil < from;
  }

  void cut(boolean away, boolean refusing) {
    if (cut) {
      outOfReach(time.now());
    }
    cut = away;
    refused = refusing;
  }

  void knows(int live) {
    nodes = live;
  }

  boolean cut() {
    return cut;
  }

  boolean refused() {
    return refused;
  }

  boolean dead() {
    return dead;
  }

  boolean paused() {
    return time.now() < pausedUntil;
  }

  long undecided() {
    return dead ? 0 : undecided;
  }

  int number() {
    return number;
  }

  Ledger ledger() {
    return ledger;
  }

  VirtualClock clock() {
    return clock;
  }
}
