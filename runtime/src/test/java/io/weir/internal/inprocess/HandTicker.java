package io.weir.internal.inprocess;

import io.weir.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/** Two clocks that stand still until the test moves them, each for itself. */
final class HandTicker implements Ticker {
  static final long NOON = 1_700_000_040L * 1_000_000;

  private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
  private final AtomicLong wall = new AtomicLong(NOON);

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public long epochMicros() {
    return wall.get();
  }

  void advance(long micros) {
    nanos.addAndGet(micros * 1_000);
    wall.addAndGet(micros);
  }

  void jumpWall(long micros) {
    wall.addAndGet(micros);
  }
}
