package io.weir.internal.http;

import io.weir.Policy;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Holds the length of a policy's window: of a calendar window, of the one that runs now; of a
 * bucket with a refill, the time until the whole limit is back.
 *
 * <p>Immutable.
 *
 * @param until its end, in microseconds since the epoch; {@link Long#MAX_VALUE} if all windows have
 *     the same length
 */
record CurrentWindowLength(Duration length, long until) {
  static CurrentWindowLength of(Policy policy, long limit, long epochMicros) {
    BucketSpec spec = policy.spec();
    Optional<CalendarWindow> calendar = spec.calendar();
    if (calendar.isEmpty()) {
      Duration length =
          Duration.of(spec.refillMicros(limit, policy.refillFor(limit)), ChronoUnit.MICROS);
      return new CurrentWindowLength(length, Long.MAX_VALUE);
    }
    long end = calendar.get().end(epochMicros);
    long micros = end - calendar.get().begin(epochMicros);
    return new CurrentWindowLength(Duration.of(micros, ChronoUnit.MICROS), end);
  }
}
