package io.weir.internal.http;

import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/**
 * How long the window of a policy is: that of the calendar which is running now, or any; of a
 * bucket with a refill, how long it takes until all of the limit is back.
 *
 * <p>Immutable.
 *
 * @param length its length
 * @param until when it ends, in microseconds since the epoch; {@link Long#MAX_VALUE} if all windows
 *     are of one length
 */
record RunningWindow(Duration length, long until) {
  static RunningWindow of(BucketSpec spec, long limit, long epochMicros) {
    Optional<CalendarWindow> calendar = spec.calendar();
    if (calendar.isEmpty()) {
      Duration length = Duration.of(spec.refillMicros(limit), ChronoUnit.MICROS);
      return new RunningWindow(length, Long.MAX_VALUE);
    }
    long end = calendar.get().end(epochMicros);
    long micros = end - calendar.get().begin(epochMicros);
    return new RunningWindow(Duration.of(micros, ChronoUnit.MICROS), end);
  }

  /** What a policy admits in words: {@code 100 permits per month in Europe/Berlin}. */
  static String admits(BucketSpec spec, long limit) {
    String window = spec.calendar().map(RunningWindow::text).orElseGet(() -> text(spec.window()));
    return spec.refill() == 0
        ? limit + " permits per " + window
        : limit + " permits at once and " + spec.refill() + " more every " + window;
  }

  private static String text(CalendarWindow calendar) {
    if (calendar.isPeriod()) {
      return "period";
    }
    String units = calendar.unit().name().toLowerCase(Locale.ROOT);
    String window =
        calendar.amount() == 1
            ? units.substring(0, units.length() - 1)
            : calendar.amount() + " " + units;
    return window + " in " + calendar.zone();
  }

  private static String text(Duration window) {
    return window.toNanos() % 1_000_000_000 == 0
        ? window.toSeconds() + " s"
        : window.toNanos() / 1_000 + " microseconds";
  }
}
