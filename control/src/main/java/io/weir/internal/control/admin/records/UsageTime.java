package io.weir.internal.control.admin.records;

import io.weir.Ticker;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.paging.PageRequest;
import io.weir.rules.usage.Usage;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The span of time of a list.
 *
 * @param from the beginning, inclusive
 * @param to the end, exclusive
 */
record UsageTime(Instant from, Instant to) {
  private static final Duration MAX = Duration.ofHours(Usage.MAX_HOURS);

  /** Reads the span that a request names: by default one that ends now. */
  static UsageTime of(PageRequest page, Duration usual, Ticker ticker) {
    Instant to = page.to().orElseGet(ticker::instant);
    return new UsageTime(page.from().orElseGet(() -> to.minus(usual)), to);
  }

  /** Rejects spans with more hours than can be added up at once. */
  UsageTime checked() {
    if (Duration.between(from, to).compareTo(MAX) > 0) {
      throw new InvalidFieldException("to", "must be at most 92 days after from");
    }
    return this;
  }

  /** Returns the first day, in UTC. */
  LocalDate firstDay() {
    return from.atZone(ZoneOffset.UTC).toLocalDate();
  }

  /** Returns the last day, in UTC. */
  LocalDate lastDay() {
    return to.atZone(ZoneOffset.UTC).toLocalDate();
  }

  /** Names a file with usage of this time. */
  String file(String kind) {
    return kind + "-" + firstDay() + "-to-" + lastDay() + ".csv";
  }
}
