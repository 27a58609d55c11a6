package io.weir.internal.policy.draft;

import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The units that a window may be counted in. A day is always 24 hours. */
enum WindowUnit {
  MILLIS(ChronoUnit.MILLIS, "ms"),
  SECONDS(ChronoUnit.SECONDS, "s"),
  MINUTES(ChronoUnit.MINUTES, "m"),
  HOURS(ChronoUnit.HOURS, "h"),
  DAYS(ChronoUnit.DAYS, "d");

  /** What {@link io.weir.annotation.RateLimit#unit()} must be. */
  static final String RULE = "must be MILLIS, SECONDS, MINUTES, HOURS or DAYS";

  private static final Map<String, WindowUnit> BY_NAME =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(Enum::name, each -> each));

  private final ChronoUnit length;
  private final String symbol;

  WindowUnit(ChronoUnit length, String symbol) {
    this.length = length;
    this.symbol = symbol;
  }

  static Optional<WindowUnit> of(ChronoUnit unit) {
    return Optional.ofNullable(BY_NAME.get(unit.name()));
  }

  long millis() {
    return length.getDuration().toMillis();
  }

  /** As a default name writes it, {@code 100-60s} say. */
  String symbol() {
    return symbol;
  }
}
