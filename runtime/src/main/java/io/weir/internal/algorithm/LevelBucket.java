package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;

/**
 * TOKEN_BUCKET and LEAKY_BUCKET: a level that each permit raises by one and that sinks steadily by
 * the limit per window; a permit is granted if it fits under the burst.
 *
 * <p><b>How this works.</b> The simplest idea is a thread that puts a token into each bucket now
 * and then; its flaw is the thread. So the level is kept together with the time at which it was
 * true, and sinks when it is used. The subtle part is the rounding: with 7 permits a minute one
 * takes 8,571,428.57 microseconds, and rounding that would drift. Here the level has a whole part
 * and a remainder in parts of 1/window permit. In one microsecond it sinks by exactly {@code limit}
 * such parts, so nothing is ever rounded, at any limit and window. A leaky bucket is the same with
 * a small burst: of burst 1, permits are spaced evenly.
 *
 * <p>Numbers: 60 a minute with a burst of 20 grants 20 at once, then one a second; idle for 5 s
 * after that, it grants 5 at once. As the level is in permits, not in time, another limit changes
 * only how fast it sinks from now on.
 *
 * <p>Where permits are leased, they are charged to the end of a slot, a 60th of the time in which a
 * full burst drains: the level is then that of a future time. The free permits are computed for the
 * start of the slot, so that an empty bucket refills in portions. So what drains between that start
 * and the time of the level has drained ahead: it is kept beside the level, and counts as used
 * until it has really drained. A level that is 0 drains nothing, so a full bucket is whole. The
 * reason why this is enough, and nothing less is: docs/design/algorithms.md.
 *
 * <p>A give-back lowers the level by what the permit still adds to it: permits drain oldest first,
 * and drained ones aren't credited. All permits taken in one slot, before any of them drained,
 * share a stamp. The last {@value #MAX_ENTRIES} stamps are remembered; later give-backs have no
 * effect.
 *
 * <p>Invariant: in any time t, at most burst + ⌊limit × t ÷ window⌋ permits are spent.
 */
final class LevelBucket extends BucketState {
  static final int CODE = 4;

  private static final int MAX_ENTRIES = 32;

  private final long window;
  private final TimedCharges creditable;

  private long at;
  private long level;
  private long parts;
  private long ahead;
  private long aheadParts;
  private long effectiveLimit = 1;
  private long burst;
  private long slot = 1;
  private long visible;
  private long end;
  private long open;

  LevelBucket(long window, long minLife) {
    super(minLife);
    this.window = window;
    this.creditable = new TimedCharges();
  }

  private LevelBucket(LevelBucket original) {
    super(original);
    window = original.window;
    creditable = new TimedCharges(original.creditable);
    at = original.at;
    level = original.level;
    parts = original.parts;
    ahead = original.ahead;
    aheadParts = original.aheadParts;
    effectiveLimit = original.effectiveLimit;
    burst = original.burst;
    slot = original.slot;
    open = original.open;
  }

  @Override
  public BucketState copy() {
    return new LevelBucket(this);
  }

  @Override
  public long expiresAt() {
    long drained = edge(at + drained(level));
    // A stamp mustn't be used again while permits that had it first may be given back.
    long newest = creditable.isEmpty() ? open - 1 : Math.max(open - 1, creditable.newest());
    return Math.max(drained, newest - minLife());
  }

  @Override
  int code() {
    return CODE;
  }

  @Override
  long window() {
    return window;
  }

  /** Where permits are spent at once, nothing drains ahead. */
  @Override
  int format() {
    return minLife() == 0 ? FORMAT_PLAIN : FORMAT_WITH_AHEAD;
  }

  @Override
  void writeAddition(BucketEncoder writer) {
    writer.put(ahead);
    writer.put(aheadParts);
  }

  /** Of bytes that don't say what has drained ahead, all that may have counts as used. */
  @Override
  void readAddition(BucketDecoder reader, long format) {
    if (format == FORMAT_WITH_AHEAD) {
      ahead = reader.number("the permits drained ahead", 0, MAX_USED);
      aheadParts = reader.number("the parts of a permit drained ahead", 0, window - 1);
    } else {
      super.readAddition(reader, format);
      ahead = minLife() == 0 ? 0 : MAX_USED;
    }
  }

  @Override
  void write(BucketEncoder writer) {
    writer.put(effectiveLimit);
    writer.put(burst);
    writer.putTime(at, lastClaimAt());
    writer.put(level);
    writer.put(parts);
    writer.put(open == 0 ? 0 : 1);
    if (open != 0) {
      writer.putTime(open, lastClaimAt());
    }
    creditable.write(writer, lastClaimAt());
  }

  @Override
  void read(BucketDecoder reader) {
    effectiveLimit = reader.number("the limit", 1, MAX_PERMITS);
    burst = reader.number("the burst", 0, MAX_PERMITS);
    slot = slot(window, effectiveLimit, burst, minLife());
    at = reader.time("the time of the level", lastClaimAt());
    level = reader.number("the level", 0, MAX_USED);
    parts = reader.number("the parts of a permit", 0, window - 1);
    if (reader.number("whether a stamp is closed", 0, 1) == 1) {
      open = reader.time("the first open stamp", lastClaimAt());
    }
    creditable.read(reader, lastClaimAt(), 0, BucketDecoder.LATEST);
    if (creditable.size() > MAX_ENTRIES) {
      throw BucketDecoder.wrong("there must be at most " + MAX_ENTRIES + " stamps");
    }
  }

  /**
   * Returns the time for which a charge counts after the end of its slot: until a full burst has
   * drained.
   */
  static long counts(BucketSpec spec, long effectiveLimit, long burst) {
    return SaturatingMath.add(SaturatingMath.divide(burst, spec.windowMicros(), effectiveLimit), 1);
  }

  /**
   * Returns the length of a slot: a part of the time in which a full burst drains, at most a
   * window.
   */
  private static long slot(long window, long effectiveLimit, long burst, long minLife) {
    long portion =
        SaturatingMath.divide(burst, window, effectiveLimit) / WindowSlotLayout.MAX_SLOTS;
    return Math.max(1, Math.max(minLife, Math.min(window, portion)));
  }

  /**
   * Returns the time for which a lease is worth holding: a slot, and no more than one of the
   * window.
   */
  static long lease(long window, long effectiveLimit, long burst, long minLife) {
    long drains = Math.min(window, SaturatingMath.divide(burst, window, effectiveLimit));
    return Math.max(minLife, drains / WindowSlotLayout.MAX_SLOTS);
  }

  @Override
  void roll(long now, long inForce, long atOnce) {
    if (!keeps(inForce, atOnce)) {
      sinkTo(seen(now));
      effectiveLimit = inForce;
      burst = atOnce;
      slot = slot(window, effectiveLimit, burst, minLife());
    }
    visible = seen(now);
    end = endOfSlot(now + minLife());
    sinkTo(visible);
  }

  @Override
  boolean keeps(long inForce, long atOnce) {
    return inForce == effectiveLimit && atOnce == burst;
  }

  @Override
  long most() {
    return burst;
  }

  @Override
  long free() {
    long excess = ahead + (parts + aheadParts + window - 1) / window;
    return Math.max(0, burst - level - excess);
  }

  @Override
  void charge(long permits) {
    if (permits == 0) {
      return;
    }
    long time = minLife() == 0 ? visible : end;
    sinkAhead(time);
    at = Math.max(at, time);
    closeDrained();
    creditable.add(stamp(), permits);
    if (creditable.size() > MAX_ENTRIES) {
      creditable.dropOldest();
    }
    level = Math.min(MAX_USED, SaturatingMath.add(level, permits));
  }

  @Override
  void giveBack(long stamp, long permits) {
    forgetDrained();
    level -= creditable.take(stamp, permits);
    if (level < 0) {
      empty();
    }
  }

  @Override
  long stamp() {
    long first = Math.max(end, open);
    return creditable.isEmpty() ? first : Math.max(first, creditable.newest());
  }

  @Override
  long life(long now) {
    return minLife() == 0 ? 0 : end - now;
  }

  @Override
  long until(long wanted) {
    long allowed = burst - wanted;
    long early = allowed - level;
    long time =
        early > 0
            ? at - SaturatingMath.divide(early, window, -parts, effectiveLimit)
            : at + drained(level - allowed);
    return edge(time);
  }

  private long seen(long now) {
    return minLife() == 0 ? now : Math.floorDiv(now, slot) * slot;
  }

  /** Returns the first time from this one on for which the level is computed. */
  private long edge(long time) {
    return minLife() == 0 ? time : -Math.floorDiv(-time, slot) * slot;
  }

  private long endOfSlot(long time) {
    return (Math.floorDiv(time, slot) + 1) * slot;
  }

  /** Advances the level to a later time, or to the time at which the level was 0. */
  private void sink(long time) {
    if (time <= at || level == 0 && parts == 0) {
      return;
    }
    long permits = SaturatingMath.divide(time - at, effectiveLimit, window);
    long rest = permits > level ? 0 : parts - remainder(time - at, permits);
    long whole = level - permits - (rest < 0 ? 1 : 0);
    if (whole < 0) {
      at += drained(level);
      empty();
    } else {
      at = time;
      level = whole;
      parts = rest < 0 ? rest + window : rest;
    }
  }

  /** Advances the level to a time that has come. */
  private void sinkTo(long time) {
    sink(time);
    if (at <= time) {
      ahead = 0;
      aheadParts = 0;
    } else if (ahead > 0 || aheadParts > 0) {
      long permits = SaturatingMath.divide(at - time, effectiveLimit, window);
      long rest = remainder(at - time, permits);
      if (permits < ahead || permits == ahead && rest < aheadParts) {
        ahead = permits;
        aheadParts = rest;
      }
    }
  }

  /** Advances the level to a time to come. */
  private void sinkAhead(long time) {
    long permits = level;
    long rest = parts;
    sink(time);
    ahead += permits - level;
    aheadParts += rest - parts;
    if (aheadParts < 0) {
      ahead--;
      aheadParts += window;
    } else if (aheadParts >= window) {
      ahead++;
      aheadParts -= window;
    }
    ahead = Math.min(MAX_USED, ahead);
  }

  /** Charges nothing more to what has begun to drain. */
  private void closeDrained() {
    if (creditable.sum() > level) {
      long newest = creditable.newest();
      creditable.dropBeyond(level);
      if (creditable.size() <= 1) {
        open = newest + 1;
      }
    }
  }

  /** Drops drained permits: those of one charge must not be credited at the cost of a later one. */
  private void forgetDrained() {
    long whole = level + (parts > 0 ? 1 : 0);
    while (creditable.size() > 1 && creditable.sumButOldest() >= whole) {
      creditable.dropOldest();
    }
    if (creditable.size() > 1) {
      creditable.dropBeyond(level);
    }
  }

  private void empty() {
    level = 0;
    parts = 0;
  }

  /** Returns the remainder of a division; correct even if the product itself has overflowed. */
  private long remainder(long elapsed, long permits) {
    return elapsed * effectiveLimit - permits * window;
  }

  /** Returns the time after {@link #at} at which this many permits and the parts have drained. */
  private long drained(long permits) {
    return Math.min(
        SaturatingMath.FOREVER,
        SaturatingMath.divide(permits, window, parts + effectiveLimit - 1, effectiveLimit));
  }
}
