package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;
import io.weir.store.SlottedBucket.ChargeVisitor;

/**
 * FIXED_WINDOW: a count that starts again at each multiple of the window since the epoch.
 *
 * <p><b>How this works.</b> The simplest idea of all: count, and set the count to 0 when the clock
 * strikes. The window is a number, time ÷ length, so nothing has to strike: a claim that finds
 * another number than the last one begins at 0. Its flaw is known and accepted, for it is what a
 * quota per minute or hour of the clock means: with 100 a minute, 100 at 12:00:59 and 100 more at
 * 12:01:00 are two minutes' worth within a second.
 *
 * <p>A far lease lives in its window, so nothing but its life differs from other grants.
 *
 * <p>Invariant: permits granted in one window, less those given back in it, are never more than the
 * largest limit that was claimed in it.
 */
final class FixedWindow extends LendingWindow {
  static final int CODE = 1;

  private final long window;
  private long number = Long.MIN_VALUE;
  private long used;

  FixedWindow(long window, long minLife) {
    super(minLife);
    this.window = window;
  }

  private FixedWindow(FixedWindow original) {
    super(original);
    window = original.window;
    number = original.number;
    used = original.used;
  }

  @Override
  public BucketState copy() {
    return new FixedWindow(this);
  }

  @Override
  public long expiresAt() {
    return used == 0 ? lastClaimAt() : (number + 1) * window;
  }

  @Override
  public long steadyUntil() {
    return (number + 1) * window;
  }

  @Override
  int code() {
    return CODE;
  }

  @Override
  long window() {
    return window;
  }

  /** The window is that of the last claim. */
  @Override
  void write(BucketEncoder writer) {
    writer.put(used);
  }

  @Override
  void read(BucketDecoder reader) {
    number = lastClaimAt() / window;
    used = reader.number("the permits used", 0, MAX_USED);
  }

  @Override
  void roll(long now) {
    long current = Math.floorDiv(now, window);
    if (current != number) {
      number = current;
      used = 0;
    }
  }

  @Override
  long used() {
    return used;
  }

  @Override
  void charge(long slot, long permits) {
    used = Math.min(MAX_USED, SaturatingMath.add(used, permits));
  }

  @Override
  void giveBack(long slot, long permits) {
    if (slot == number) {
      used = Math.max(0, used - permits);
    }
  }

  /** Does nothing, since all permits of a window count until its end. */
  @Override
  void moveSpent(long slot, long spent) {}

  @Override
  long slot() {
    return number;
  }

  @Override
  long life(long now) {
    return (number + 1) * window - now;
  }

  @Override
  long farSlot(long now) {
    return number;
  }

  @Override
  long farLife(long slot, long now) {
    return Math.min(OutstandingFarLeases.life(window), life(now));
  }

  @Override
  boolean counts(long slot) {
    return slot == number;
  }

  @Override
  public long countsUntil(long slot) {
    return (slot + 1) * window;
  }

  @Override
  public void begin(long now) {
    roll(now);
  }

  @Override
  public long firstSlot(long now) {
    return Math.floorDiv(now, window);
  }

  /** A future window, of a node whose clock is ahead, doesn't count in this one. */
  @Override
  public void put(long now, long slot, long permits) {
    if (counts(slot)) {
      charge(slot, permits);
    }
  }

  @Override
  public void eachSum(ChargeVisitor visitor) {
    if (used > 0) {
      visitor.visit(number, used);
    }
  }

  @Override
  long until(long wanted) {
    return (number + 1) * window;
  }

  /**
   * Returns the time for which a lease is worth holding: less than a window, which is one slot and
   * too long for the needs of others.
   */
  static long lease(long window, long effectiveLimit, long burst, long minLife) {
    return window / 10;
  }

  /** For how long a charge counts after the end of its slot: the window ends with it. */
  static long counts(BucketSpec spec, long effectiveLimit, long burst) {
    return 0;
  }
}
