package io.weir.rules.usage;

import io.weir.Policy;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Describes a limit that isn't in force, and the time of the usage to put it against. It counts
 * each user by itself, at all endpoints of the pattern together, one permit for each request.
 *
 * <p>Immutable.
 *
 * @param endpointPattern the pattern of a rule: {@code /api/*}; not of a policy
 * @param methods the methods that it counts; empty for all. Methods aren't recorded, so others are
 *     counted as well
 * @param tier only users that have this tier now; empty for all users
 * @param limit permits per window, 1 to 1,000,000,000
 * @param length the window, 1 second to 366 days; empty with {@code calendar}
 * @param calendar windows of the calendar; empty with {@code length}
 * @param from hours that begin then or later
 * @param until hours that begin before; at most 92 days later
 */
public record WhatIfLimit(
    String endpointPattern,
    Set<String> methods,
    Optional<String> tier,
    long limit,
    Optional<Duration> length,
    Optional<CalendarWindow> calendar,
    Instant from,
    Instant until) {
  /** The longest window. */
  public static final Duration MAX_LENGTH = Duration.ofDays(366);

  private static final Duration MIN_LENGTH = Duration.ofSeconds(1);
  private static final Duration MAX_TIME = Duration.ofHours(Usage.MAX_HOURS);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is out of range, or there is no window, or two
   */
  public WhatIfLimit {
    methods = Set.copyOf(methods);
    if (limit < 1 || limit > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to 1,000,000,000, not " + limit);
    }
    if (length.isPresent() == calendar.isPresent()) {
      throw new IllegalArgumentException("either length or calendar must be given");
    }
    if (length.isPresent()
        && (length.get().compareTo(MIN_LENGTH) < 0
            || length.get().compareTo(MAX_LENGTH) > 0
            || length.get().getNano() != 0)) {
      throw new IllegalArgumentException("length must be whole seconds, 1 second to 366 days");
    }
    if (!from.isBefore(until) || Duration.between(from, until).compareTo(MAX_TIME) > 0) {
      throw new IllegalArgumentException("until must be after from, and at most 92 days later");
    }
  }
}
