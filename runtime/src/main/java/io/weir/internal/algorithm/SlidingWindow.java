package io.weir.internal.algorithm;

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
 * permits used at 0.0 s are free again at 61.0 s; a caller who always takes what there is gets 60
 * windows' worth in 61, so 1.6 % of use is given up.
 *
 * <p>Invariant: all that is charged to the slots from 60 before this one on, those to come
 * included, is at most the largest limit claimed in that time, plus debts.
 */
final class SlidingWindow extends BucketState {
  private final LeaseSlots slots;
  private final long minLife;
  private final Charges charges;
  private long charged;
  private long effectiveLimit;

  SlidingWindow(long window, long minLife) {
    this.slots = LeaseSlots.of(window, minLife);
    this.minLife = minLife;
    this.charges = new Charges();
  }

  private SlidingWindow(SlidingWindow original) {
    super(original);
    slots = original.slots;
    minLife = original.minLife;
    charges = new Charges(original.charges);
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
    return Math.min(drops, slots.start(charged + 1) - minLife);
  }

  @Override
  BucketKind kind() {
    return BucketKind.SLIDING_WINDOW;
  }

  @Override
  long window() {
    return slots.window();
  }

  @Override
  long minLife() {
    return minLife;
  }

  @Override
  void write(BucketWriter writer) {
    charges.write(writer, slots.at(lastClaimAt()));
  }

  @Override
  void read(BucketReader reader) {
    long current = slots.at(lastClaimAt());
    charged = slots.at(lastClaimAt() + minLife);
    charges.read(reader, current, current - slots.count(), charged);
  }

  @Override
  void roll(long now, long inForce, long burst) {
    effectiveLimit = inForce;
    charged = slots.at(now + minLife);
    charges.dropBefore(slots.at(now) - slots.count());
  }

  @Override
  long most() {
    return effectiveLimit;
  }

  @Override
  long free() {
    return Math.max(0, effectiveLimit - charges.sum());
  }

  @Override
  void charge(long permits) {
    charges.add(charged, permits);
  }

  @Override
  void giveBack(long stamp, long permits) {
    charges.take(stamp, permits);
  }

  @Override
  long stamp() {
    return charged;
  }

  @Override
  long life(long now) {
    return slots.start(charged + 1) - now;
  }

  @Override
  long until(long wanted) {
    return gone(charges.timeOf(charges.sum() - (effectiveLimit - wanted)));
  }

  /** How long a lease is worth holding: a slot. */
  static long lease(long window, long effectiveLimit, long burst, long minLife) {
    return window / LeaseSlots.of(window, minLife).count();
  }

  /** For how long a charge counts after the end of its slot. */
  static long counts(long window, long effectiveLimit, long burst) {
    return window;
  }

  private long gone(long slot) {
    return slots.start(slot + slots.count() + 1);
  }
}
