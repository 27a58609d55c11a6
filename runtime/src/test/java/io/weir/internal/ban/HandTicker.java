package io.weir.internal.ban;

import io.weir.Ticker;
import java.time.Duration;

/** A clock that a test sets. */
final class HandTicker implements Ticker {
  private long micros = 1_000_000_000;

  @Override
  public long nanoTime() {
    return micros * 1_000;
  }

  @Override
  public long epochMicros() {
    return micros;
  }

  void pass(Duration time) {
    micros += time.toNanos() / 1_000;
  }
}
