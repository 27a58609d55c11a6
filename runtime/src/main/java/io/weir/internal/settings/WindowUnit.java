package io.weir.internal.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The units that a window may be counted in, by the names of {@link ChronoUnit}: all that have one
 * length only. A day is always 24 hours.
 */
public enum WindowUnit {
  /** Thousandths of a second. */
  MILLIS("ms"),
  /** Seconds. */
  SECONDS("s"),
  /** Minutes. */
  MINUTES("m"),
  /** Hours. */
  HOURS("h"),
  /** Days of 24 hours. */
  DAYS("d");

  /** What {@link io.weir.annotation.RateLimit#unit()} must be. */
  public static final String RULE = "must be MILLIS, SECONDS, MINUTES, HOURS or DAYS";

  /** Stands for all that is too long; beyond what any rule allows. */
  private static final Duration FOREVER = Duration.ofDays(36_600);

  private static final Map<String, WindowUnit> BY_NAME =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(Enum::name, each -> each));

  private final String symbol;
  private final long millis;

  WindowUnit(String symbol) {
    this.symbol = symbol;
    this.millis = ChronoUnit.valueOf(name()).getDuration().toMillis();
  }

  /**
   * Finds one of these units.
   *
   * @param unit what an annotation says
   * @return nothing if a window can't be counted in it
   */
  public static Optional<WindowUnit> of(ChronoUnit unit) {
    return Optional.ofNullable(BY_NAME.get(unit.name()));
  }

  /**
   * The length of a window as an annotation says it.
   *
   * @param amount how many
   * @param unit of what
   * @return the length; zero if the amount is negative or the unit is none of these; what is too
   *     long for any window is cut to a length that still is
   */
  public static Duration length(long amount, ChronoUnit unit) {
    long millis = of(unit).map(each -> each.millis).orElse(0L);
    if (amount < 0 || millis == 0) {
      return Duration.ZERO;
    }
    return amount <= FOREVER.toMillis() / millis ? Duration.ofMillis(amount * millis) : FOREVER;
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
      if (millis % each.millis == 0) {
        largest = each;
      }
    }
    return millis / largest.millis + largest.symbol;
  }
}
