package io.weir.internal.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The units that a window may be counted in, by the names of {@link ChronoUnit}. */
public enum WindowUnit {
  /** Thousandths of a second. */
  MILLIS("ms"),
  /** Seconds. */
  SECONDS("s"),
  /** Minutes. */
  MINUTES("m"),
  /** Hours. */
  HOURS("h"),
  /** Days: of 24 hours, or with a zone those of the calendar. */
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

  /** Finds a unit by what settings write behind a number. */
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
   * @param amount how many
   * @param unit any unit
   * @return a text that settings can read if a window may be counted in that unit
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
   * Writes a length of time in the largest unit that is exact: {@code 90m}, {@code 1d}.
   *
   * @param length the length
   * @return a text that settings can read; as ISO 8601 has it if no unit is exact
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
