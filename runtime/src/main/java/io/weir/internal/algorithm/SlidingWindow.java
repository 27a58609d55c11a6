package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;
import io.weir.store.SlottedBucket.ChargeVisitor;

/**
 * SLIDING_WINDOW: counts per sub-window, never more than the limit in any interval of a window's
 * length.
 *
 * <p><b>How this works.</b> The simplest idea is a count per window of the clock; its flaw is that
 * around the edge twice the limit fits into one window's length. Weighing the last window's count
 * by how much of it still overlaps is cheap but a guess: it supposes that requests were spread
 * evenly. Here the window is cut into 60 slots, each with its own count, and the last 60 of them
 * plus the one that has begun must together stay within the limit. Every interval of a window's
 * length lies within these 61 slots, so the limit holds for all of them, wherever they begin.
 *
 * <p>The price: a permit comes back up to one slot late, on average half of one. With 100 a minute,
 * permits used at 0.0 s are free again at 61.0 s; a caller that always takes what there is gets 60
 * windows' worth in 61, so 1.6 % of use is given up.
 *
 * <p>Invariant: all that is charged to the slots from 60 before this one on, those to come
 * included, is at most the largest limit claimed in that time, plus debts.
 */
final class SlidingWindow extends LendingWindow {
  static final int CODE = 2;

  private final WindowSlotLayout slots;
  private final TimedCharges charges;
  private long charged;

  SlidingWindow(long window, long minLife) {
    super(minLife);
    this.slots = WindowSlotLayout.of(window, minLife);
    this.charges = new TimedCharges();
  }

  private SlidingWindow(SlidingWindow original) {
    super(original);
    slots = original.slots;
    charges = new TimedCharges(original.charges);
  }

  @Override
  public BucketState copy() {
    return new SlidingWindow(this);
  }

  @Override
  public long expiresAt() {
    return charges.isEmpty() ? lastClaimAt() : gone(charges.newest());
  }

  @Override
  public long steadyUntil() {
    long drops = slots.start(slots.at(lastClaimAt()) + 1);
    return Math.min(drops, slots.start(charged + 1) - minLife());
  }

  @Override
  int code() {
    return CODE;
  }

  @Override
  long window() {
    return slots.window();
  }

  @Override
  void write(BucketEncoder writer) {
    charges.write(writer, slots.at(lastClaimAt()));
  }

  @Override
  void read(BucketDecoder reader) {
    long last = lastClaimAt();
    charged = slots.at(last + minLife());
    long latest = minLife() == 0 ? charged : farSlot(last);
    charges.read(reader, slots.at(last), slots.at(last) - slots.count(), latest);
  }

  @Override
  boolean hasFar() {
    return super.hasFar() || !charges.isEmpty() && charges.newest() > charged;
  }

  @Override
  void roll(long now) {
    charged = slots.at(now + minLife());
    charges.dropBefore(slots.at(now) - slots.count());
  }

  @Override
  long used() {
    return charges.sum();
  }

  @Override
  void charge(long slot, long permits) {
    charges.put(slot, permits);
  }

  @Override
  void giveBack(long slot, long permits) {
    charges.take(slot, permits);
  }

  @Override
  void moveSpent(long slot, long spent) {
    if (slot > charged) {
      charges.put(charged, charges.take(slot, spent));
    }
  }

  @Override
  long slot() {
    return charged;
  }

  @Override
  long farSlot(long now) {
    return slots.at(now + Math.max(minLife(), OutstandingFarLeases.life(slots.window())));
  }

  @Override
  long farLife(long slot, long now) {
    return slots.start(slot + 1) - now;
  }

  @Override
  boolean counts(long slot) {
    return slot >= slots.at(lastClaimAt()) - slots.count();
  }

  @Override
  public long countsUntil(long slot) {
    return gone(slot);
  }

  @Override
  public void begin(long now) {
    roll(now);
  }

  @Override
  public long firstSlot(long now) {
    return slots.at(now) - slots.count();
  }

  @Override
  public void put(long now, long slot, long permits) {
    charge(slot, permits);
  }

  @Override
  public void eachSum(ChargeVisitor visitor) {
    charges.each(visitor);
  }

  @Override
  long life(long now) {
    return slots.start(charged + 1) - now;
  }

  @Override
  long until(long wanted) {
    return gone(charges.timeOf(charges.sum() - (most() - wanted)));
  }

  /** Returns the time for which a lease is worth holding: a slot. */
  static long lease(long window, long effectiveLimit, long burst, long minLife) {
    return window / WindowSlotLayout.of(window, minLife).count();
  }

  static long counts(BucketSpec spec, long effectiveLimit, long burst) {
    return spec.windowMicros();
  }

  private long gone(long slot) {
    return slots.start(slot + slots.count() + 1);
  }
}
