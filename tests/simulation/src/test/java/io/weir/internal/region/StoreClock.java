package io.weir.internal.region;

import java.util.Random;

/**
 * Shows the time at which a region's store counts: ahead or behind, a little too fast or too slow,
 * and set once. Times are microseconds since the epoch.
 *
 * <p>Immutable.
 *
 * @param begun when the simulation began
 * @param ahead by how much it was ahead then, or behind if negative
 * @param drift by how many parts per million it runs too fast, or too slow if negative
 * @param setAt when it is set
 * @param step by how much it is then set forward, or back if negative
 */
record StoreClock(long begun, long ahead, int drift, long setAt, long step) {
  private static final long SECOND = 1_000_000;
  static final StoreClock RIGHT = new StoreClock(0, 0, 0, 0, 0);

  static StoreClock ahead(long micros) {
    return new StoreClock(0, micros, 0, 0, 0);
  }

  /** Draws one that may be an hour ahead, minutes behind, or off by less than a minute. */
  static StoreClock draw(Random random, long begun) {
    long ahead =
        switch (random.nextInt(4)) {
          case 0 -> 3_600 * SECOND + random.nextInt(1_000_000);
          case 1 -> -60 * SECOND * (1 + random.nextInt(9)) - random.nextInt(60_000_000);
          case 2 -> random.nextInt(60_000_000);
          default -> random.nextInt(800_000);
        };
    return new StoreClock(begun, ahead, random.nextInt(201) - 100, 0, 0);
  }

  /** Returns the same clock, which is set at a time. */
  StoreClock set(long at, long forward) {
    return new StoreClock(begun, ahead, drift, at, forward);
  }

  /** Returns what it shows at a true time. */
  long at(long time) {
    return time + ahead + Math.floorDiv((time - begun) * drift, 1_000_000L) + stepped(time);
  }

  private long stepped(long time) {
    return time < setAt ? 0 : step;
  }

  /**
   * Returns the time by which the limit holds of a permit that was spent at one time and granted at
   * another. The store forgets too early by what its clock was set forward, but for what is held
   * over that moment; and too late, if it was set back: its buckets then stand still.
   */
  long measured(long spent, long granted) {
    boolean counts = step > 0 && (spent < setAt || granted >= setAt);
    return at(spent) - stepped(spent) + (counts ? stepped(spent) : 0);
  }
}
