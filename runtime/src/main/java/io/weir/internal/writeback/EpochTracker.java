package io.weir.internal.writeback;

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
 * Which data this node knows a lane to have, and whether all nodes are still to tell it what it has
 * lost.
 *
 * <p><b>How this works.</b> A store that lost its data would grant every limit once more. So each
 * settle names the epoch of the data that this node knows, and what an answer of other data grants
 * isn't used. Nodes that hear of another epoch tell it all that they were granted and that still
 * counts, and until two flushes and a time-out after that epoch was made nobody takes anything from
 * it: each node asks once a flush which epoch there is, so by then each that can be reached has
 * heard and told. Leases go on being spent meanwhile, for what they hold is among what is told.
 *
 * <p>A node that knew no epoch has nothing to tell. It waits like the others if somebody knew one
 * that this one replaced, and else not at all; so a store that is new to everybody costs nothing.
 *
 * <p>Safe for concurrent use.
 */
final class EpochTracker {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final long OPEN = Long.MIN_VALUE;
  private static final long WARNS_EACH = 60_000_000;

  private final int lane;
  private final LeasingStore store;
  private final CacheContext node;
  private final SafeScheduler timers;
  private final Owner owner;
  private final AtomicLong questions = new AtomicLong();
  private final AtomicReference<@Nullable Question> asking = new AtomicReference<>();
  private final CompletableFuture<Void> met = new CompletableFuture<>();
  private volatile @Nullable Epoch known;
  private volatile long waitsUntil = OPEN;

  // Of one answer at a time.
  private long silentUntil = OPEN;
  private int losses;

  /** Whom it concerns. */
  interface Owner {
    /** The store told which data it has. */
    void told();

    /** It told, but when nobody waited for it any more. */
    void toldLate();

    /** It didn't. */
    void silent(Throwable why);

    /** The store has lost what was charged to this node. */
    void lost(EpochTracker era);
  }

  EpochTracker(int lane, LeasingStore store, CacheContext node, SafeScheduler timers, Owner owner) {
    this.lane = lane;
    this.store = store;
    this.node = node;
    this.timers = timers;
    this.owner = owner;
  }

  int lane() {
    return lane;
  }

  /** Asks if the store hasn't told yet; completed when it has. */
  CompletionStage<Void> meet() {
    if (!isKnown()) {
      ask();
    }
    return met;
  }

  /** Whether the store has told at all. */
  boolean isKnown() {
    return known != null;
  }

  /** What the store told last. */
  Epoch epoch() {
    Epoch last = known;
    return last == null ? Epoch.NONE : last;
  }

  /** Whether that data is still there, as far as is known. */
  boolean isOf(Epoch named) {
    Epoch last = known;
    return last != null && last.is(named);
  }

  /** Whether nothing is to be taken, since somebody may not have told yet. */
  boolean waits() {
    long until = waitsUntil;
    return until != OPEN && node.clock().micros() < until;
  }

  /** Whether it is still to be found out what is to be told again: nothing is sent before. */
  boolean recounts() {
    return waitsUntil == NodeClock.NEVER;
  }

  /** Asks if that matters: what can't tell now never could. */
  void watch() {
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
    question.begins();
    Future<?> alarm = timers.alarm(node.timeout(), question::timeIsUp);
    try {
      store
          .epoch(lane, epoch())
          .whenComplete(
              (told, failure) -> {
                alarm.cancel(false);
                question.ends(told, failure);
              });
    } catch (RuntimeException | Error broken) {
      alarm.cancel(false);
      question.ends(null, broken);
    }
    return true;
  }

  /** One at a time, so that an answer that was overtaken by a newer one is none. */
  private final class Question {
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile long number;
    private volatile long askedAt;

    void begins() {
      number = questions.incrementAndGet();
      askedAt = node.clock().micros();
    }

    void timeIsUp() {
      long late = node.lateness(askedAt);
      if (late == 0) {
        overdue();
      } else {
        timers.after(late, this::overdue);
      }
    }

    void overdue() {
      long millis = node.timeout() / 1_000;
      String what = " hasn't answered within " + millis + " ms";
      ends(null, new TimeoutException(store.describe() + what));
    }

    void ends(@Nullable Epoch told, @Nullable Throwable failure) {
      if (!over.compareAndSet(false, true)) {
        if (failure != null) {
          timers.reports().explained(failure);
        }
        if (told != null) {
          endsLate(told);
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
        owner.told();
        met.complete(null);
      } else {
        owner.silent(failure != null ? failure : new IllegalStateException("no epoch"));
      }
    }

    /** What a late answer tells is true as well, unless somebody has asked anew since. */
    private void endsLate(Epoch told) {
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
        owner.toldLate();
        met.complete(null);
      }
    }
  }

  private void learn(Epoch told) {
    Epoch before = known;
    boolean other = before == null || !before.is(told);
    boolean lost = before != null && other && told.wiped();
    if (lost) {
      waitsUntil = NodeClock.NEVER; // nothing is taken before all is known that is to be told
    }
    known = told;
    if (lost) {
      guarded(() -> owner.lost(this));
    }
    boolean wipedBefore = before != null && before.wiped();
    if (told.wiped() && (other || !wipedBefore)) {
      // It is older by now than when it was told, so this waits too long, if anything.
      long left = quarantine() - told.ageMicros();
      waitsUntil = left > 0 ? NodeClock.after(node.clock().micros(), left) : OPEN;
    } else if (other) {
      waitsUntil = OPEN;
    }
    if (lost) {
      guarded(this::warn);
    }
  }

  /** Whatever is thrown, the next step is taken: a lane that stays between two sends no more. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error mistake) {
      timers.reports().failed(mistake);
    }
  }

  private long quarantine() {
    return ClockDrift.surely(2 * node.pace().flush() + node.timeout());
  }

  /** At most once a minute: a store that loses its data again and again mustn't fill the log. */
  private void warn() {
    losses++;
    long now = node.clock().micros();
    if (now < silentUntil) {
      return;
    }
    String often = losses > 1 ? " (" + losses + " times since the last warning)" : "";
    silentUntil = NodeClock.after(now, WARNS_EACH);
    losses = 0;
    LOG.log(
        System.Logger.Level.WARNING,
        "The store has lost what it counted"
            + often
            + ": it was emptied, or a state without or with older data took its place. Nodes tell it"
            + " what they were granted; for "
            + quarantine() / 1_000
            + " ms nothing else is taken from it, and policies decide by leases or else by their"
            + " onStoreFailure. To prevent it: persistence, a replica, and maxmemory-policy"
            + " noeviction.");
  }
}
