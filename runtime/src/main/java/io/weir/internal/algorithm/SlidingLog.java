package io.weir.internal.algorithm;

import io.weir.store.SlottedBucket.ChargeVisitor;

/**
 * SLIDING_LOG: the times of all permits of the last window, exact to the microsecond.
 *
 * <p><b>How this works.</b> Counting by slots gives a permit back a little late. If that is too
 * late, remember when each permit was taken, and forget it exactly one window after: what is
 * remembered is what was used. The flaw is memory, which grows with the limit. So permits of one
 * instant share an entry, and beyond 4,096 entries neighbours closer than 1/2,048 of the window are
 * merged into the later of their times, as often as needed: then a permit may come back by that
 * much late, never early. A bucket so holds at most 192 KiB, and up to 4,096 permits per window it
 * is exact.
 *
 * <p>Where permits are leased, their time is the end of the slot in which they may be spent last.
 *
 * <p>Invariant: permits charged later than one window ago are at most the largest limit claimed in
 * that time, plus debts.
 */
final class SlidingLog extends BucketState implements SlottedState {
  static final int CODE = 3;

  private static final int MAX_ENTRIES = 4_096;
  private static final int RESOLUTION = 2_048;
  private static final int CONDENSED_ENTRIES = WindowSlotLayout.MAX_SLOTS;

  private final WindowSlotLayout slots;
  private final TimedCharges charges;
  private long charged;
  private long effectiveLimit;

  SlidingLog(long window, long minLife) {
    super(minLife);
    this.slots = WindowSlotLayout.of(window, minLife);
    this.charges = new TimedCharges();
  }

  private SlidingLog(SlidingLog original, TimedCharges charges) {
    super(original);
    slots = original.slots;
    this.charges = charges;
  }

  @Override
  public BucketState copy() {
    return new SlidingLog(this, new TimedCharges(charges));
  }

  /** In at most {@value WindowSlotLayout#MAX_SLOTS} entries, as coarse as a sliding window. */
  @Override
  public BucketState condensed() {
    long resolution = slots.window() / CONDENSED_ENTRIES;
    return new SlidingLog(this, charges.condensed(CONDENSED_ENTRIES, resolution));
  }

  int entries() {
    return charges.size();
  }

  @Override
  public long expiresAt() {
    return charges.isEmpty() ? lastClaimAt() : charges.newest() + slots.window();
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
    charges.writeSpans(writer, lastClaimAt());
  }

  @Override
  void read(BucketDecoder reader) {
    long last = lastClaimAt();
    charged = chargedAt(last);
    charges.readSpans(reader, last, last - slots.window() + 1, charged);
  }

  @Override
  void roll(long now, long inForce, long burst) {
    effectiveLimit = inForce;
    charged = chargedAt(now);
    charges.dropBefore(now - slots.window() + 1);
  }

  @Override
  public void begin(long now) {
    charged = chargedAt(now);
  }

  @Override
  public long firstSlot(long now) {
    return now - slots.window() + 1;
  }

  @Override
  public long countsUntil(long slot) {
    return slot + slots.window();
  }

  @Override
  public void put(long now, long slot, long permits) {
    charges.put(slot, permits);
  }

  @Override
  public void eachSum(ChargeVisitor visitor) {
    charges.each(visitor);
  }

  private long chargedAt(long now) {
    return minLife() == 0 ? now : slots.start(slots.at(now + minLife()) + 1);
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
    if (charges.size() > MAX_ENTRIES) {
      charges.merge(Math.max(2, slots.window() / RESOLUTION));
    }
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
    return charged - now;
  }

  @Override
  long until(long wanted) {
    return charges.timeOf(charges.sum() - (effectiveLimit - wanted)) + slots.window();
  }
}
