package io.weir.internal.algorithm;

import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.util.List;

/**
 * Holds a store's state of one bucket, and the arithmetic that turns a claim and the time into a
 * grant.
 *
 * <p>Each algorithm charges a permit to the last slot of time in which it may be spent. So a permit
 * is never spent later than it is counted, and nothing need be remembered about its holder. With
 * {@code minLifeMicros} 0 permits are spent where they are granted, and all arithmetic is exact to
 * the microsecond; a store that leases permits gives them a minimum of life, so that they are of
 * use even if granted at the very end of a slot.
 *
 * <p>Time in a bucket never runs backwards: a time earlier than the last one counts as the last
 * one. Limit and burst come with each claim; if they change, permits used stay used. A peek is
 * answered by its own limit and burst, and leaves those in force unchanged.
 *
 * <p>Confine to one thread.
 */
public abstract class BucketState implements LiveBucket {
  /** The first byte of a bucket's bytes, which changes with their format. */
  public static final int FORMAT = 3;

  /** The format without an addition. */
  static final int FORMAT_PLAIN = 1;

  /** The format of a window with far leases. */
  static final int FORMAT_WITH_FAR = 2;

  /** The format of a level that says what has drained ahead. */
  static final int FORMAT_WITH_AHEAD = FORMAT;

  /**
   * More than any limit or burst: the largest limit, raised by ELASTIC as far as possible, takes 34
   * bits. Stores that count in scripts have only doubles, which are whole up to 2^53; so the sum of
   * a few thousand of these stays within that, as do the results of {@link SaturatingMath}.
   */
  static final long MAX_PERMITS = 1L << 40;

  /** The largest count. */
  static final long MAX_USED = 1L << 52;

  private final long minLife;
  private long last;
  private boolean raised;

  BucketState(long minLife) {
    this.minLife = minLife;
  }

  BucketState(BucketState original) {
    minLife = original.minLife;
    last = original.last;
  }

  /** Reads into this fresh state what {@link #toBytes()} wrote, from the life of grants on. */
  final void readAll(BucketDecoder reader, long format) {
    long life = reader.number("the life of grants", 0, Long.MAX_VALUE);
    if (life != minLife) {
      throw BucketDecoder.wrong(
          "the life of grants must be " + minLife + " µs, not " + life + " µs");
    }
    last = reader.number("the time of the last claim", 0, BucketDecoder.LATEST);
    readAddition(reader, format);
    read(reader);
    reader.end();
  }

  @Override
  public final byte[] toBytes() {
    BucketEncoder writer = new BucketEncoder();
    int format = format();
    writer.put(format);
    writer.put(code());
    writer.put(minLife());
    writer.put(last);
    if (format != FORMAT_PLAIN) {
      writeAddition(writer);
    }
    write(writer);
    return writer.toBytes();
  }

  @Override
  public final Grant execute(Claim asked, long clockMicros) {
    long now = Math.max(last, clockMicros);
    last = now;
    Claim claim = asked.at(now);
    if (!isInWindow(claim, now)) {
      return Grant.otherWindow(now);
    }
    long effectiveLimit = Math.min(claim.effectiveLimit(), MAX_PERMITS);
    long burst = Math.min(claim.burst(), MAX_PERMITS);
    BucketState state = claim.peeks() && !keeps(effectiveLimit, burst) ? copy() : this;
    return state.answer(claim, now, effectiveLimit, burst);
  }

  private Grant answer(Claim claim, long now, long effectiveLimit, long burst) {
    roll(now, effectiveLimit, burst);
    if (claim.refusedAt() > 0) {
      refused(claim.refusedAt());
    }
    creditAndCharge(claim);
    Grant.Builder grant = take(claim, now);
    long left = free();
    long wanted = Math.max(1, claim.atLeast());
    long retry = left >= wanted ? 0 : retry(now, wanted);
    long reset = left >= most() ? 0 : wait(now, left + 1);
    return grant.left(left).retry(retry).reset(reset).build();
  }

  private Grant.Builder take(Claim claim, long now) {
    long free = free();
    long needed = Math.min(claim.needed(), free);
    if (needed < claim.atLeast()) {
      needed = 0;
    }
    if (needed < claim.needed()) {
      refused(now);
    }
    boolean met = needed == claim.needed() && needed >= claim.atLeast();
    long rest = free - needed;
    long far = met && claim.far() > 0 ? far(claim.far(), needed, rest) : 0;
    if (far > 0) {
      return lend(needed + far, now);
    }
    long permits = met ? needed + Math.min(claim.extra(), rest / 8) : needed;
    charge(permits);
    return Grant.builder().granted(permits, stamp(), life(now));
  }

  /**
   * Returns the permits for a far lease: at most an eighth of the rest, and never the last quarter.
   */
  private long far(long wished, long needed, long rest) {
    long quarter = (most() + 3) / 4;
    long most = Math.min(rest - quarter, farRoom() - needed);
    return Math.max(0, Math.min(most, Math.min(wished, rest / 8)));
  }

  /**
   * Returns whether a claim has other terms than the state keeps for later, and isn't a peek, so
   * that it changes the state even if it is refused.
   */
  public final boolean isChangedByTermsOf(Claim claim) {
    return !claim.peeks()
        && !keeps(
            Math.min(claim.effectiveLimit(), MAX_PERMITS), Math.min(claim.burst(), MAX_PERMITS));
  }

  /**
   * Returns whether the last claim knew of more used permits than the state did, which changed the
   * state even if the claim was refused.
   */
  public final boolean wasRaised() {
    return raised;
  }

  @Override
  public final long lastClaimAt() {
    return last;
  }

  @Override
  public long steadyUntil() {
    return last;
  }

  public abstract BucketState copy();

  @Override
  public BucketState condensed() {
    return copy();
  }

  private void creditAndCharge(Claim claim) {
    List<GiveBack> giveBacks = claim.giveBacks();
    for (int i = 0; i < giveBacks.size(); i++) {
      accountFor(giveBacks.get(i));
    }
    if (claim.clearBefore() > 0) {
      clearBefore(claim.clearBefore());
    }
    charge(claim.debt());
    raised = claim.usedAtLeast() > 0 && raise(claim.usedAtLeast());
  }

  private long retry(long now, long wanted) {
    return wanted > most() ? window() : wait(now, wanted);
  }

  private long wait(long now, long wanted) {
    return Math.min(SaturatingMath.FOREVER, until(wanted) - now);
  }

  /** Returns the number of the algorithm in a bucket's bytes, from 1 on, unique. */
  abstract int code();

  abstract long window();

  final long minLife() {
    return minLife;
  }

  /** Writes everything that {@link #roll} doesn't recompute. */
  abstract void write(BucketEncoder writer);

  /** Reads into this fresh state what was written, by a claim at {@link #lastClaimAt()}. */
  abstract void read(BucketDecoder reader);

  /** Returns whether a claim names the running window; notes the window that it names. */
  boolean isInWindow(Claim claim, long now) {
    return true;
  }

  /** Advances the state to now, with this limit and burst in force. */
  abstract void roll(long now, long effectiveLimit, long burst);

  /** Returns whether these equal the limit and burst that the state keeps for later. */
  boolean keeps(long effectiveLimit, long burst) {
    return true;
  }

  /** Returns the permits of a fresh bucket. */
  abstract long most();

  abstract long free();

  /** Charges permits, whether they are free or not. */
  abstract void charge(long permits);

  /** Raises the used permits to those known from elsewhere; returns whether they were fewer. */
  boolean raise(long known) {
    return false;
  }

  /** Processes a give-back: unused permits, and spent ones of a far lease. */
  void accountFor(GiveBack back) {
    giveBack(back.stamp(), back.permits());
  }

  /** Takes back permits charged to the slot of this stamp, if it still counts. */
  abstract void giveBack(long stamp, long permits);

  /**
   * Credits the failures that were reported before a stamp was given out; none unless overridden.
   */
  void clearBefore(long stamp) {}

  /** Notes a refusal at a time, now or a little earlier; does nothing unless overridden. */
  void refused(long at) {}

  /** Returns the slot that permits granted now are charged to. */
  abstract long stamp();

  /** Returns the time for which permits granted now may be spent, in microseconds. */
  abstract long life(long now);

  /** Permits that far leases may still take; none unless overridden. */
  long farRoom() {
    return 0;
  }

  /** Grants permits in a far lease, for which there is {@linkplain #farRoom room}. */
  Grant.Builder lend(long permits, long now) {
    throw new IllegalStateException("no far leases of " + permits + " at " + now);
  }

  /** Returns the format to write: which addition there is. */
  int format() {
    return FORMAT_PLAIN;
  }

  /** Writes the addition of {@link #format}; nothing unless overridden. */
  void writeAddition(BucketEncoder writer) {}

  /** Reads the addition of a format, before {@link #read}. */
  void readAddition(BucketDecoder reader, long format) {
    if (format != FORMAT_PLAIN) {
      throw BucketDecoder.wrong("a bucket of this algorithm isn't written in format " + format);
    }
  }

  /**
   * Returns the first time at which this many will be free, more than now and at most {@link
   * #most}.
   */
  abstract long until(long wanted);
}
