package io.weir.compat.bucket4j;

import io.github.bucket4j.TimeMeter;
import io.weir.Ticker;

/** A ticker in whole milliseconds, like the clocks of most backends. */
record Clock(Ticker ticker) implements TimeMeter {
  @Override
  public long currentTimeNanos() {
    return Math.floorDiv(ticker.epochMicros(), 1_000L) * 1_000_000;
  }

  @Override
  public boolean isWallClockBased() {
    return true;
  }
}
