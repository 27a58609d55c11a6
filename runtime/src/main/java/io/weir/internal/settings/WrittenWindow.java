package io.weir.internal.settings;

import io.weir.PolicyBuilder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Holds a window as an annotation or a setting has it, valid or not: {@code 90s}, {@code 1mo},
 * {@code PT10S}.
 *
 * <p>Immutable.
 */
public final class WrittenWindow {
  private static final Pattern UNITS = Pattern.compile("(\\d{1,9})\\s*(d|w|mo|y)");

  private final Duration length;
  private final long amount;
  private final @Nullable ChronoUnit unit;

  private WrittenWindow(Duration length, long amount, @Nullable ChronoUnit unit) {
    this.length = length;
    this.amount = amount;
    this.unit = unit;
  }

  static WrittenWindow of(long amount, ChronoUnit unit) {
    return new WrittenWindow(Duration.ZERO, amount, unit);
  }

  /** Reads a window from settings: a duration, or a number of days, weeks, months or years. */
  static WrittenWindow parse(String value) {
    Matcher parts = UNITS.matcher(value.toLowerCase(Locale.ROOT));
    if (parts.matches()) {
      Optional<WindowUnit> unit = WindowUnit.of(parts.group(2));
      return of(Long.parseLong(parts.group(1)), unit.orElseThrow().unit());
    }
    return new WrittenWindow(ValueSyntax.duration().parse(value), 0, null);
  }

  /** Returns whether it is of the calendar even without a time zone: weeks, months and years. */
  public boolean isOfCalendar() {
    return unit == ChronoUnit.WEEKS || unit == ChronoUnit.MONTHS || unit == ChronoUnit.YEARS;
  }

  void give(PolicyBuilder policy) {
    if (unit == null) {
      policy.window(length);
    } else {
      policy.window(amount, unit);
    }
  }

  /** Writes the window as settings do. */
  @Override
  public String toString() {
    return unit == null ? WindowUnit.text(length) : WindowUnit.text(amount, unit);
  }
}
