package io.weir.internal.control.paging;

import io.weir.Ticker;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.Iso8601;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the time of a list.
 *
 * @param from the beginning, inclusive
 * @param to the end, exclusive
 */
public record TimeSpan(Instant from, Instant to) {
  /**
   * Reads the span that a request names.
   *
   * @param to the parameter {@code to}, by default now; null if it is missing
   * @param usual how long before the end the span begins by default
   * @return the span, which is empty if it ends before it begins
   * @throws InvalidFieldException if a parameter isn't an instant
   */
  public static TimeSpan of(
      @Nullable String from, @Nullable String to, Duration usual, Ticker ticker) {
    Instant end = instant("to", to).orElseGet(ticker::instant);
    return new TimeSpan(instant("from", from).orElseGet(() -> end.minus(usual)), end);
  }

  static Optional<Instant> instant(String name, @Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Iso8601.instant(text));
    } catch (DateTimeException malformed) {
      throw new InvalidFieldException(name, Iso8601.INSTANT_RULE);
    }
  }

  /**
   * Rejects longer spans.
   *
   * @param max the longest span, in whole days
   */
  public TimeSpan atMost(Duration max) {
    if (Duration.between(from, to).compareTo(max) > 0) {
      throw new InvalidFieldException("to", "must be at most " + max.toDays() + " days after from");
    }
    return this;
  }

  /** Returns the day of the beginning, in UTC. */
  public LocalDate firstDay() {
    return LocalDate.ofInstant(from, ZoneOffset.UTC);
  }

  /** Returns the day of the end, in UTC. */
  public LocalDate lastDay() {
    return LocalDate.ofInstant(to, ZoneOffset.UTC);
  }
}
