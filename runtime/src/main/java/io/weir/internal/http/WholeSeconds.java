package io.weir.internal.http;

import java.time.Duration;

/** Whole seconds, as HTTP counts: rounded up, so that nobody comes too early. */
final class WholeSeconds {
  private WholeSeconds() {}

  static long ceil(Duration time) {
    return time.getNano() == 0 ? time.getSeconds() : time.getSeconds() + 1;
  }

  static long ceilMicros(long micros) {
    return Math.floorDiv(micros + 999_999, 1_000_000L);
  }
}
