package io.weir.internal.writeback.debt;

import io.weir.annotation.Algorithm;
import io.weir.internal.algorithm.BucketKind;
import io.weir.internal.clock.NodeClock;
import io.weir.store.BucketSpec;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * Counts the permits of a bucket that the store has charged to this node, less those given back,
 * and that may still count there: they are reported if the store loses its data.
 *
 * <p>In a fixed window all of them count until it ends. In the other algorithms each counts for a
 * while after it was charged: a window and a slot, or the time in which a full burst drains (what
 * was charged before has drained, or the bucket was full in between). They are kept in three parts,
 * the oldest of which is dropped every half of that time; so each is remembered for at least that
 * time and at most half as long again. It is never more than the store said is used in all.
 *
 * <p>Debts are counted apart from what was granted, in parts that are dropped at the same times:
 * each count may be too high, so the difference of two that were dropped at times of their own
 * could be too low.
 *
 * <p>It errs on one side, too many: permits given back are taken from the oldest part, which would
 * have been dropped first.
 *
 * <p>Confine to one thread.
 */
public final class RecoverableCharges {
  private final boolean fixed;
  private final boolean sliding;
  private final Parts granted = new Parts();
  private @Nullable Parts debts;
  private long step;
  private long nextDrop = Long.MIN_VALUE;
  private long most = Long.MAX_VALUE;

  public RecoverableCharges(Algorithm algorithm) {
    fixed = algorithm == Algorithm.FIXED_WINDOW;
    sliding = algorithm == Algorithm.SLIDING_WINDOW;
  }

  /** Restores charges from before the bucket rested, as if all had been granted. */
  public RecoverableCharges(Algorithm algorithm, long permits, long until) {
    this(algorithm);
    most = permits;
    nextDrop = until;
    if (fixed) {
      granted.newest = permits;
    } else {
      granted.oldest = permits;
    }
  }

  /**
   * Adds the permits that were granted, by an answer of the store.
   *
   * @param until when the last of them certainly no longer counts
   */
  void add(long permits, long now, long until) {
    if (expect(permits, now, until)) {
      granted.newest += permits;
    }
  }

  /**
   * Adds debts that were charged, by an answer of the store.
   *
   * @param until when the last of them certainly no longer counts
   */
  void addDebts(long permits, long now, long until) {
    if (expect(permits, now, until)) {
      debts = debts == null ? new Parts() : debts;
      debts.newest += permits;
    }
  }

  /** Sets when parts are dropped, by what is to be added; returns whether that is any. */
  private boolean expect(long permits, long now, long until) {
    roll(now);
    if (permits <= 0) {
      return false;
    }
    if (fixed) {
      nextDrop = Math.max(nextDrop, until); // a late answer may be about the window before
    } else {
      long half = Math.max(1, (until - now + 1) / 2);
      step = sliding ? Math.max(step, half) : half; // a far lease before this one counts longer
      nextDrop = isEmpty() ? NodeClock.after(now, step) : nextDrop;
    }
    return true;
  }

  /** Notes that, by the store's answer, no more than these are used, by all nodes together. */
  void atMost(long used) {
    most = used;
  }

  /** Notes permits that were charged after the store's last answer about what is used. */
  void beyond(long permits) {
    most = NodeClock.after(most, permits);
  }

  /** Subtracts granted permits that the store has taken back. */
  void subtract(long permits) {
    granted.subtract(permits);
  }

  /** Returns the number of permits that may still count. */
  public long total(long now) {
    roll(now);
    return Math.min(most, granted.sum() + (debts == null ? 0 : debts.sum()));
  }

  /** Returns how many of them were granted, not debts. */
  long granted(long now) {
    roll(now);
    return Math.min(most, granted.sum());
  }

  /** Returns when at most this many that were granted will count, if none are added. */
  long grantedDropsTo(long permits, long now) {
    if (granted(now) <= permits) {
      return now;
    }
    if (fixed || granted.newest + granted.middle <= permits) {
      return nextDrop;
    }
    return NodeClock.after(nextDrop, granted.newest <= permits ? step : 2 * step);
  }

  /** Returns when none of them will count any more. */
  public long until() {
    if (fixed) {
      return nextDrop;
    }
    int drops = Math.max(granted.dropsAfterNext(), debts == null ? 0 : debts.dropsAfterNext());
    return NodeClock.after(nextDrop, drops * step);
  }

  private boolean isEmpty() {
    return granted.sum() == 0 && (debts == null || debts.sum() == 0);
  }

  private void roll(long now) {
    while (now >= nextDrop && !isEmpty()) {
      granted.drop(fixed);
      if (debts != null) {
        debts.drop(fixed);
      }
      nextDrop = NodeClock.after(nextDrop, step);
    }
  }

  /** Returns the time from now for which the charge that this grant answers may count. */
  static long counts(BucketSpec spec, long effectiveLimit, long burst, Grant grant) {
    long more = BucketKind.of(spec).countsMicros(spec, effectiveLimit, burst);
    return NodeClock.after(restOfSlot(spec, grant), more);
  }

  /** Returns the remaining time of the slot of a grant. */
  static long restOfSlot(BucketSpec spec, Grant grant) {
    // A far lease of a fixed window ends before the window, which frees all there is.
    boolean fixed = spec.algorithm() == Algorithm.FIXED_WINDOW;
    return fixed ? Math.max(grant.life(), grant.reset()) : grant.life();
  }

  /** Permits by age. */
  private static final class Parts {
    private long newest;
    private long middle;
    private long oldest;

    long sum() {
      return newest + middle + oldest;
    }

    void subtract(long permits) {
      long rest = permits;
      long part = Math.min(oldest, rest);
      oldest -= part;
      rest -= part;
      part = Math.min(middle, rest);
      middle -= part;
      rest -= part;
      newest -= Math.min(newest, rest);
    }

    void drop(boolean all) {
      oldest = all ? 0 : middle;
      middle = all ? 0 : newest;
      newest = 0;
    }

    /** Returns the number of drops after the next one until nothing is left. */
    int dropsAfterNext() {
      return newest > 0 ? 2 : middle > 0 ? 1 : 0;
    }
  }
}
