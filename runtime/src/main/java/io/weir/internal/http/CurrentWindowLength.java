package io.weir.internal.http;

import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Holds the length of a policy's window: of a calendar window, of the one that runs now; of a
 * bucket with a refill, the time until the whole limit is back.
 *
 * <p>Immutable.
 *
 * @param length its length
 * @param until its end, in microseconds since the epoch; {@link Long#MAX_VALUE} if all windows have
 *     the same length
 */
record CurrentWindowLength(Duration length, long until) {
  private static final List<ChronoUnit> UNITS =
      List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS);

  static CurrentWindowLength of(BucketSpec spec, long limit, long epochMicros) {
    Optional<CalendarWindow> calendar = spec.calendar();
    if (calendar.isEmpty()) {
      Duration length = Duration.of(spec.refillMicros(limit), ChronoUnit.MICROS);
      return new CurrentWindowLength(length, Long.MAX_VALUE);
    }
    long end = calendar.get().end(epochMicros);
    long micros = end - calendar.get().begin(epochMicros);
    return new CurrentWindowLength(Duration.of(micros, ChronoUnit.MICROS), end);
  }

  /** Describes a limit for people: {@code 100 permits per month in Europe/Berlin}. */
  static String describe(BucketSpec spec, long limit) {
    String window =
        spec.calendar().map(CurrentWindowLength::text).orElseGet(() -> text(spec.window()));
    return spec.refill() == 0
        ? limit + " permits per " + window
        : limit + " permits at once and " + spec.refill() + " more every " + window;
  }

  private static String text(CalendarWindow calendar) {
    return calendar.isPeriod()
        ? "period"
        : text(calendar.amount(), calendar.unit()) + " in " + calendar.zone();
  }

  /** Writes a duration in the largest unit that divides it: {@code minute}, {@code 90 minutes}. */
  private static String text(Duration window) {
    long nanos = window.toNanos();
    for (ChronoUnit unit : UNITS) {
      long ofUnit = unit.getDuration().toNanos();
      if (nanos % ofUnit == 0) {
        return text(nanos / ofUnit, unit);
      }
    }
    return nanos % 1_000_000 == 0 ? nanos / 1_000_000 + " ms" : nanos / 1_000 + " microseconds";
  }

  private static String text(long amount, ChronoUnit unit) {
    String units = unit.name().toLowerCase(Locale.ROOT);
    return amount == 1 ? units.substring(0, units.length() - 1) : amount + " " + units;
  }
}
