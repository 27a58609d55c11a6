package io.weir.internal.algorithm;

import java.util.Random;

/**
 * Times at which requests come: bursts, steps of one microsecond, edges of windows, long pauses.
 */
final class Arrivals {
  private final Random random;
  private final long window;
  private long now;

  Arrivals(Random random, long window) {
    this.random = random;
    this.window = window;
    this.now = 1_700_000_000_000_000L + Math.floorMod(random.nextLong(), window);
  }

  long next() {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> {}
      case 3 -> now++;
      case 4 -> now = (now / window + 1) * window - random.nextInt(2);
      case 5 -> now = (now * 60 / window + 1) * window / 60 + random.nextInt(2);
      case 6 -> now += window + random.nextInt(3) - 1;
      case 7 -> now += within(3 * window);
      default -> now += within(window / 20);
    }
    return now;
  }

  void moveTo(long time) {
    now = Math.max(now, time);
  }

  private long within(long most) {
    return 1 + Math.floorMod(random.nextLong(), most);
  }
}
