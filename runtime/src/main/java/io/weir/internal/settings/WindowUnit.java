package io.weir.internal.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lists the units of windows, by the names of {@link ChronoUnit}. */
public enum WindowUnit {
  MILLIS("ms"),
  SECONDS("s"),
  MINUTES("m"),
  HOURS("h"),
  /** Days: of 24 hours, or of the calendar if there is a zone. */
  DAYS("d"),
  /** Weeks of the calendar. */
  WEEKS("w"),
  /** Months of the calendar. */
  MONTHS("mo"),
  /** Years of the calendar. */
  YEARS("y");

  private static final Map<String, WindowUnit> BY_SYMBOL =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(each -> each.symbol, each -> each));

  private final String symbol;
  private final ChronoUnit unit;

  WindowUnit(String symbol) {
    this.symbol = symbol;
    this.unit = ChronoUnit.valueOf(name());
  }

  static Optional<WindowUnit> of(String symbol) {
    return Optional.ofNullable(BY_SYMBOL.get(symbol));
  }

  ChronoUnit unit() {
    return unit;
  }

  private boolean isExact() {
    return compareTo(DAYS) <= 0;
  }

  /**
   * Writes a number of units as settings do: {@code 1mo}, {@code 90s}.
   *
   * @return a text that settings can read if the unit is one of windows
   */
  public static String text(long amount, ChronoUnit unit) {
    for (WindowUnit each : values()) {
      if (each.unit == unit) {
        boolean exact = each.isExact() && amount >= 0 && amount <= Long.MAX_VALUE / 86_400_000;
        return exact ? text(Duration.of(amount, unit)) : amount + each.symbol;
      }
    }
    return amount + unit.name();
  }

  /**
   * Writes a duration in the largest unit that is exact: {@code 90m}, {@code 1d}.
   *
   * @return a text that settings can read; in the form of ISO 8601 if no unit is exact
   */
  public static String text(Duration length) {
    long millis = length.toMillis();
    if (!Duration.ofMillis(millis).equals(length)) {
      return length.toString();
    }
    WindowUnit largest = MILLIS;
    for (WindowUnit each : values()) {
      if (each.isExact() && millis % each.unit.getDuration().toMillis() == 0) {
        largest = each;
      }
    }
    return millis / largest.unit.getDuration().toMillis() + largest.symbol;
  }
}
