package io.weir.internal.ban;

import io.weir.Ticker;
import java.time.Duration;
import java.time.Instant;

/** A clock that a test sets. */
final class HandTicker implements Ticker {
  private long micros = 1_000_000_000;

  /** Runs once, while somebody reads the time of day. */
  Runnable meanwhile = () -> {};

  @Override
  public long nanoTime() {
    return micros * 1_000;
  }

  @Override
  public long epochMicros() {
    return micros;
  }

  @Override
  public Instant instant() {
    Runnable once = meanwhile;
    meanwhile = () -> {};
    once.run();
    return Ticker.super.instant();
  }

  void pass(Duration time) {
    micros += time.toNanos() / 1_000;
  }
}
