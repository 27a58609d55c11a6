package io.weir.internal.http;

import java.time.Duration;

/**
 * Converts times to whole seconds, the unit of HTTP's header fields. Rounds up, so that no client
 * retries too early.
 */
final class WholeSeconds {
  private WholeSeconds() {}

  static long roundUp(Duration time) {
    return time.getNano() == 0 ? time.getSeconds() : time.getSeconds() + 1;
  }

  static long roundUpMicros(long micros) {
    return Math.floorDiv(micros + 999_999, 1_000_000L);
  }
}
