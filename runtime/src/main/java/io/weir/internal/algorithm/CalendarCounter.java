package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.SlottedBucket.ChargeVisitor;

/**
 * FIXED_WINDOW by the calendar: a count that starts again at each edge of a {@link CalendarWindow}.
 *
 * <p><b>How this works.</b> Windows of the calendar differ in length, so none of them has a number
 * that follows from the time. The bucket keeps the end of its window. The edges depend on time zone
 * data, which differs from node to node when a government has changed its rules; so the kept window
 * holds for all nodes until it ends, whatever they name. Then the first claim whose window contains
 * the store's clock opens the next. As that is never before the end of the last, windows never
 * overlap, and each has the limit once. A window without use isn't kept: the bucket equals a fresh
 * one. The end is the stamp, since no two windows of a bucket end at the same time, even if the
 * bucket is forgotten in between.
 *
 * <p>A claim that names no window is counted in the one that this JVM determines. A claim that
 * names a window which isn't running, because the node's clock is fast or slow, changes nothing.
 *
 * <p>A {@linkplain CalendarWindow#isPeriod() period} is the only window of its bucket. It is kept
 * beyond its end, as if it ended later, so that late claims still count in it. Only refusals report
 * its real end, and ask callers to retry soon after that.
 *
 * <p>There are no far leases.
 *
 * <p>Invariant: permits granted in one window, less those given back in it, are never more than the
 * largest limit that was claimed in it.
 */
final class CalendarCounter extends BucketState implements SlottedState {
  static final int CODE = 5;

  /**
   * When to come again once a period has ended, in microseconds: nothing comes back in it, but by
   * then every node will name the next one. If it were shorter, nodes would keep asking for a
   * refusal that lasts.
   */
  private static final long SOON = 1_000_000;

  private final CalendarWindow windows;
  private final long longest;
  private final long kept;
  private long end;
  private long used;
  private long effectiveLimit;

  CalendarCounter(BucketSpec spec, long minLife) {
    super(minLife);
    this.windows = spec.calendar().orElseThrow();
    this.longest = spec.windowMicros();
    this.kept = windows.kept().toNanos() / 1_000;
  }

  private CalendarCounter(CalendarCounter original) {
    super(original);
    windows = original.windows;
    longest = original.longest;
    kept = original.kept;
    end = original.end;
    used = original.used;
    effectiveLimit = original.effectiveLimit;
  }

  @Override
  public BucketState copy() {
    return new CalendarCounter(this);
  }

  @Override
  public long expiresAt() {
    return used == 0 ? lastClaimAt() : end;
  }

  @Override
  public long steadyUntil() {
    long told = end - kept; // the retry time of refusals changes there
    return lastClaimAt() < told ? told : lastClaimAt();
  }

  @Override
  int code() {
    return CODE;
  }

  @Override
  long window() {
    return longest;
  }

  @Override
  void write(BucketEncoder writer) {
    writer.putTime(end, lastClaimAt());
    writer.put(used);
  }

  @Override
  void read(BucketDecoder reader) {
    end = reader.time("the end of the window", lastClaimAt());
    used = reader.number("the permits used", 0, MAX_USED);
  }

  @Override
  boolean isInWindow(Claim claim, long now) {
    if (used > 0 && now < end) {
      return true;
    }
    boolean named = claim.windowEnd() > 0;
    long begin = named ? claim.windowBegin() : windows.opens(now);
    long ending = named ? claim.windowEnd() : windows.closes(now);
    if (now < begin || now >= ending) {
      return false;
    }
    end = ending;
    used = 0;
    return true;
  }

  @Override
  void roll(long now, long inForce, long burst) {
    effectiveLimit = inForce;
  }

  @Override
  long most() {
    return effectiveLimit;
  }

  @Override
  long free() {
    return Math.max(0, effectiveLimit - used);
  }

  @Override
  void charge(long permits) {
    used = Math.min(MAX_USED, SaturatingMath.add(used, permits));
  }

  @Override
  boolean raise(long known) {
    long before = used;
    used = Math.max(used, Math.min(MAX_USED, known));
    return used > before;
  }

  @Override
  public void begin(long now) {}

  @Override
  public long firstSlot(long now) {
    return now + 1;
  }

  @Override
  public long countsUntil(long slot) {
    return slot;
  }

  /**
   * Two nodes may have opened two windows at the same time, if their time zone data differ: charges
   * to either count, and the one that ends first is kept.
   */
  @Override
  public void put(long now, long slot, long permits) {
    end = used == 0 ? slot : Math.min(end, slot);
    charge(permits);
  }

  @Override
  public void eachSum(ChargeVisitor visitor) {
    if (used > 0) {
      visitor.visit(end, used);
    }
  }

  @Override
  void giveBack(long stamp, long permits) {
    if (stamp == end) {
      used = Math.max(0, used - permits);
    }
  }

  @Override
  long stamp() {
    return end;
  }

  @Override
  long life(long now) {
    return end - now;
  }

  @Override
  long until(long wanted) {
    long told = end - kept;
    return lastClaimAt() < told ? told : lastClaimAt() + SOON;
  }
}
