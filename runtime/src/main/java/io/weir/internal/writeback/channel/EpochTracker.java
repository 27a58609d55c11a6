package io.weir.internal.writeback.channel;

import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.clock.SafeScheduler;
import io.weir.store.Epoch;
import io.weir.store.LeasingStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which data a partition has, and whether nodes are still reporting to it what it has lost.
 *
 * <p><b>How this works.</b> A store that lost its data would grant every limit once more. So each
 * call names the epoch of the data that this node knows, and the store executes it only if its data
 * has that epoch. A node that learns of another epoch reports all that it was granted and that
 * still counts. Until two flush intervals and a time-out after the new epoch began, no node takes
 * permits: each node asks for the epoch once a flush, so by then every reachable node has learned
 * of it and has reported. Meanwhile leases are spent; their permits are part of the reports.
 *
 * <p>A node that knew no epoch has nothing to report. It waits too if the store says that an epoch
 * was replaced; a new store causes no wait.
 *
 * <p>Safe for concurrent use.
 */
final class EpochTracker {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final long OPEN = Long.MIN_VALUE;
  private static final long WARNING_INTERVAL = 60_000_000;

  private final int partition;
  private final LeasingStore store;
  private final NodeClock clock;
  private final ExtendableTimeout timeout;
  private final long flushInterval;
  private final SafeScheduler scheduler;
  private final SafeStoreListener storeListener;
  private final Listener listener;
  private final AtomicLong questions = new AtomicLong();
  private final AtomicReference<@Nullable Question> asking = new AtomicReference<>();
  private final CompletableFuture<Void> whenKnown = new CompletableFuture<>();
  private volatile @Nullable Epoch known;
  private volatile long quarantineEnd = OPEN;

  // Used by one answer at a time.
  private long silentUntil = OPEN;
  private int losses;

  /** Receives the store's answers. */
  interface Listener {
    /** For how long the store has owed an answer; negative if that is unknown. */
    long silentMicros();

    void epochAnswered();

    /** The store returned its epoch after the time-out. */
    void epochAnsweredLate();

    /** The store returned no epoch in time. */
    void epochUnanswered(Throwable cause);

    /** The store has lost what was charged to this node. */
    void dataLost();
  }

  EpochTracker(
      int partition,
      LeasingStore store,
      NodeClock clock,
      ExtendableTimeout timeout,
      long flushInterval,
      SafeScheduler scheduler,
      SafeStoreListener storeListener,
      Listener listener) {
    this.partition = partition;
    this.store = store;
    this.clock = clock;
    this.timeout = timeout;
    this.flushInterval = flushInterval;
    this.scheduler = scheduler;
    this.storeListener = storeListener;
    this.listener = listener;
  }

  int partition() {
    return partition;
  }

  /** Asks if the epoch isn't known yet; completed when it is known. */
  CompletionStage<Void> whenKnown() {
    if (!isKnown()) {
      ask();
    }
    return whenKnown;
  }

  boolean isKnown() {
    return known != null;
  }

  Epoch epoch() {
    Epoch last = known;
    return last == null ? Epoch.NONE : last;
  }

  /** Returns whether the data of an epoch is still there, as far as is known. */
  boolean isCurrent(Epoch named) {
    Epoch last = known;
    return last != null && last.is(named);
  }

  /** Returns whether no permits are to be taken, because some node may not have reported yet. */
  boolean inQuarantine() {
    long until = quarantineEnd;
    return until != OPEN && clock.micros() < until;
  }

  /** Returns whether this node is still collecting its report; nothing is sent before. */
  boolean isRecovering() {
    return quarantineEnd == NodeClock.NEVER;
  }

  /** Asks, unless the store has no epochs: one that has none now never will. */
  void check() {
    if (epoch().exists()) {
      ask();
    }
  }

  /** Asks, unless an answer is on its way; false if one is. */
  boolean ask() {
    Question question = new Question();
    if (!asking.compareAndSet(null, question)) {
      return false;
    }
    question.begin();
    Future<?> timer = scheduler.schedule(timeout.length(), () -> question.timeIsUp(false));
    try {
      store
          .epoch(partition, epoch())
          .whenComplete(
              (told, failure) -> {
                timer.cancel(false);
                question.end(told, failure);
              });
    } catch (RuntimeException | Error broken) {
      timer.cancel(false);
      question.end(null, broken);
    }
    return true;
  }

  /**
   * A question for the epoch. One is open at a time; an answer that a newer one has overtaken is
   * dropped.
   */
  private final class Question {
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile long number;
    private volatile long askedAt;

    void begin() {
      number = questions.incrementAndGet();
      askedAt = clock.micros();
    }

    void timeIsUp(boolean again) {
      if (over.get()) {
        return;
      }
      long extension = timeout.extension(askedAt, again, listener.silentMicros());
      if (extension == 0) {
        overdue();
      } else {
        scheduler.runAfter(extension, () -> timeIsUp(true));
      }
    }

    void overdue() {
      long millis = timeout.length() / 1_000;
      String what = " hasn't answered within " + millis + " ms";
      end(null, new TimeoutException(store.describe() + what));
    }

    void end(@Nullable Epoch told, @Nullable Throwable failure) {
      if (!over.compareAndSet(false, true)) {
        if (failure != null) {
          storeListener.explained(failure);
        }
        if (told != null) {
          endLate(told);
        }
        return;
      }
      try {
        if (told != null) {
          learn(told);
        }
      } finally {
        asking.set(null);
      }
      if (told != null) {
        listener.epochAnswered();
        whenKnown.complete(null);
      } else {
        listener.epochUnanswered(failure != null ? failure : new IllegalStateException("no epoch"));
      }
    }

    /** A late answer is true as well, unless another question was asked since. */
    private void endLate(Epoch told) {
      if (!asking.compareAndSet(null, this)) {
        return;
      }
      boolean last = number == questions.get();
      try {
        if (last) {
          learn(told);
        }
      } finally {
        asking.set(null);
      }
      if (last) {
        listener.epochAnsweredLate();
        whenKnown.complete(null);
      }
    }
  }

  private void learn(Epoch told) {
    Epoch before = known;
    boolean other = before == null || !before.is(told);
    boolean lost = before != null && other && told.wiped();
    if (lost) {
      quarantineEnd = NodeClock.NEVER; // nothing is sent before the report is queued
    }
    known = told;
    if (lost) {
      safely(listener::dataLost);
    }
    boolean wipedBefore = before != null && before.wiped();
    if (told.wiped() && (other || !wipedBefore)) {
      // The epoch has aged since the answer was made, so this waits too long if anything.
      long left = quarantine() - told.ageMicros();
      quarantineEnd = left > 0 ? NodeClock.after(clock.micros(), left) : OPEN;
    } else if (other) {
      quarantineEnd = OPEN;
    }
    if (lost) {
      safely(this::warn);
    }
  }

  /** Runs a step whose failure must not stop the next: the channel would never send again. */
  private void safely(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error mistake) {
      storeListener.failed(mistake);
    }
  }

  private long quarantine() {
    return DriftMargin.lengthen(2 * flushInterval + timeout.length());
  }

  /** Logs at most once a minute: a store that keeps losing its data mustn't fill the log. */
  private void warn() {
    losses++;
    long now = clock.micros();
    if (now < silentUntil) {
      return;
    }
    String often = losses > 1 ? " (" + losses + " times since the last warning)" : "";
    silentUntil = NodeClock.after(now, WARNING_INTERVAL);
    losses = 0;
    LOG.log(
        System.Logger.Level.WARNING,
        "The store has lost its counts"
            + often
            + ": it was emptied, or its data was replaced by older data. Nodes report the permits"
            + " that they were granted. For "
            + quarantine() / 1_000
            + " ms no permits are taken from it: policies decide from leases, or by their"
            + " onStoreFailure. To prevent this, use persistence, a replica, and maxmemory-policy"
            + " noeviction.");
  }
}
