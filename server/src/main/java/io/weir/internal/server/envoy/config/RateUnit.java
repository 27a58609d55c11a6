package io.weir.internal.server.envoy.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A unit of Envoy's limits. All have a fixed length, also a month (30 days) and a year (365 days);
 * windows are multiples of it since 1970.
 */
public enum RateUnit {
  SECOND(1, Duration.ofSeconds(1)),
  MINUTE(2, Duration.ofMinutes(1)),
  HOUR(3, Duration.ofHours(1)),
  /** A day by UTC. */
  DAY(4, Duration.ofDays(1)),
  /** Seven days that begin on a Thursday, as 1970 did. */
  WEEK(7, Duration.ofDays(7)),
  MONTH(5, Duration.ofDays(30)),
  YEAR(6, Duration.ofDays(365));

  private static final @Nullable RateUnit[] BY_NUMBER = byNumber();

  private final int number;
  private final Duration length;

  RateUnit(int number, Duration length) {
    this.number = number;
    this.length = length;
  }

  private static @Nullable RateUnit[] byNumber() {
    @Nullable RateUnit[] all = new RateUnit[values().length + 1];
    for (RateUnit each : values()) {
      all[each.number] = each;
    }
    return all;
  }

  /** Returns the number in Envoy's messages, 1 to 7. */
  public int number() {
    return number;
  }

  public Duration length() {
    return length;
  }

  /**
   * Returns the time until the end of a window.
   *
   * @param epochMicros a time in the window, in microseconds since 1970
   * @return above 0, at most the length
   */
  public Duration rest(long epochMicros) {
    long micros = length.toMillis() * 1_000;
    return Duration.of(micros - Math.floorMod(epochMicros, micros), ChronoUnit.MICROS);
  }

  /** Returns the name in files, in lower case. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Finds a unit by its name, in any case of letters. */
  public static Optional<RateUnit> of(String text) {
    for (RateUnit each : values()) {
      if (each.name().equalsIgnoreCase(text)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Finds a unit by its number in Envoy's messages. */
  public static Optional<RateUnit> of(int number) {
    return number < 0 || number >= BY_NUMBER.length
        ? Optional.empty()
        : Optional.ofNullable(BY_NUMBER[number]);
  }
}
