package io.weir.internal.algorithm;

import io.weir.store.GiveBack;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * Counts in windows, and also lends permits for long, in far leases.
 *
 * <p><b>How this works.</b> A lease ends with its slot, so it is short, and an infrequent caller
 * finds it expired. As long as a bucket is far from its limit, it does no harm to charge some
 * permits further ahead: they may then be spent for an eighth of a window. The node reports those
 * it has spent with its next claim. From then on they count as spent now, and no longer as spent at
 * the end of that time; otherwise a permit would come back up to an eighth of a window late. The
 * permits lent and not accounted for are bounded by {@link OutstandingFarLeases#most}, and the last
 * quarter of the limit is never lent.
 *
 * <p>A stamp is twice the slot that was charged, and one more for a far lease.
 *
 * <p>Where permits are spent at once ({@link #minLife} 0) nothing is lent.
 */
abstract class LendingWindow extends BucketState implements SlottedState {
  private @Nullable OutstandingFarLeases far;
  private long effectiveLimit;

  LendingWindow(long minLife) {
    super(minLife);
  }

  LendingWindow(LendingWindow original) {
    super(original);
    far = original.far;
  }

  @Override
  final void roll(long now, long inForce, long burst) {
    effectiveLimit = inForce;
    if (far != null && now >= far.until()) {
      far = null;
    }
    roll(now);
  }

  @Override
  final long most() {
    return effectiveLimit;
  }

  @Override
  final long free() {
    return Math.max(0, effectiveLimit - used());
  }

  @Override
  final long stamp() {
    return 2 * slot();
  }

  @Override
  public final long slotOf(long stamp) {
    return stamp >> 1;
  }

  @Override
  final long farRoom() {
    long open = far == null ? 0 : far.open();
    return minLife() == 0 ? 0 : OutstandingFarLeases.most(effectiveLimit) - open;
  }

  @Override
  final Grant.Builder lend(long permits, long now) {
    long slot = farSlot(now);
    charge(slot, permits);
    far = new OutstandingFarLeases((far == null ? 0 : far.open()) + permits, countsUntil(slot));
    return Grant.builder().granted(permits, 2 * slot + 1, farLife(slot, now)).far(true);
  }

  @Override
  final void accountFor(GiveBack back) {
    long slot = slotOf(back.stamp());
    if ((back.stamp() & 1) != 0 && counts(slot)) {
      if (far != null) {
        long open = far.open() - Math.min(far.open(), back.permits());
        open -= Math.min(open, back.spent());
        far = open == 0 ? null : new OutstandingFarLeases(open, far.until());
      }
      moveSpent(slot, back.spent());
    }
    giveBack(slot, back.permits());
  }

  @Override
  final void charge(long permits) {
    charge(slot(), permits);
  }

  boolean hasFar() {
    return far != null;
  }

  @Override
  final int format() {
    return hasFar() ? FORMAT_WITH_FAR : FORMAT_PLAIN;
  }

  @Override
  final void writeAddition(BucketEncoder writer) {
    writer.put(far == null ? 0 : far.open());
    writer.put(far == null ? 0 : far.until() - lastClaimAt());
  }

  @Override
  final void readAddition(BucketDecoder reader, long format) {
    if (format != FORMAT_WITH_FAR) {
      super.readAddition(reader, format);
      return;
    }
    long open = reader.number("the permits in far leases", 0, MAX_PERMITS);
    long counts = reader.number("how long far leases count", 0, 3 * window());
    far = open == 0 || counts == 0 ? null : new OutstandingFarLeases(open, lastClaimAt() + counts);
  }

  abstract void roll(long now);

  abstract long used();

  /** Returns the slot that permits granted now are charged to. */
  abstract long slot();

  /** Returns the slot that a far lease granted now is charged to. */
  abstract long farSlot(long now);

  /** Returns the time for which a far lease of this slot may be spent. */
  abstract long farLife(long slot, long now);

  /** Returns whether what was charged to a slot still counts. */
  abstract boolean counts(long slot);

  abstract void charge(long slot, long permits);

  /** Moves the charge of permits spent by now from a later slot to the current one. */
  abstract void moveSpent(long slot, long spent);

  /** Takes back permits charged to a slot, if it still counts. */
  @Override
  abstract void giveBack(long slot, long permits);
}
