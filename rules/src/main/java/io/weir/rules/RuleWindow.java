package io.weir.rules;

import io.weir.internal.value.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Describes the window of a rule: a length of time, a calendar period, or the quota of its caller.
 *
 * <p>Immutable.
 */
public final class RuleWindow {
  /** The longest window in seconds: 366 days. */
  public static final long MAX_SECONDS = Duration.ofDays(366).toSeconds();

  private static final RuleWindow QUOTA = new RuleWindow(null, 0, null);

  private final @Nullable Duration length;
  private final int amount;
  private final @Nullable ChronoUnit unit;

  private RuleWindow(@Nullable Duration length, int amount, @Nullable ChronoUnit unit) {
    this.length = length;
    this.amount = amount;
    this.unit = unit;
  }

  /**
   * Makes a window of seconds, as in {@code window_seconds}.
   *
   * @param seconds 1 to 31,622,400: 366 days
   * @return the window
   * @throws IllegalArgumentException if the number is out of range
   */
  public static RuleWindow ofSeconds(long seconds) {
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException("must be 1 to 31,622,400 seconds, not " + seconds);
    }
    return new RuleWindow(Duration.ofSeconds(seconds), 0, null);
  }

  /**
   * Makes a calendar period.
   *
   * @param amount 1; of months 1, 2, 3, 4 or 6
   * @param unit {@code DAYS}, {@code WEEKS}, {@code MONTHS} or {@code YEARS}
   * @return the window
   * @throws IllegalArgumentException if there is no such period
   */
  public static RuleWindow ofCalendar(int amount, ChronoUnit unit) {
    boolean fits =
        switch (unit) {
          case DAYS, WEEKS, YEARS -> amount == 1;
          case MONTHS -> amount >= 1 && amount <= 6 && 12 % amount == 0;
          default -> false;
        };
    if (!fits) {
      throw new IllegalArgumentException(
          "must be 1 DAY, 1 WEEK, 1 YEAR or 1, 2, 3, 4 or 6 MONTH, not " + text(amount, unit));
    }
    return new RuleWindow(null, amount, unit);
  }

  /**
   * Returns the window of a quota: the billing period of the caller.
   *
   * @return a constant
   */
  public static RuleWindow ofQuota() {
    return QUOTA;
  }

  /**
   * Parses a period of the column {@code period}: {@code 1 DAY}, {@code 3 MONTH}, {@code QUOTA}.
   *
   * @param period upper or lower case
   * @return the window
   * @throws IllegalArgumentException if there is no such period
   */
  public static RuleWindow parsePeriod(String period) {
    String text = period.strip().toUpperCase(Locale.ROOT);
    if (text.equals("QUOTA")) {
      return QUOTA;
    }
    String[] parts = text.split("\\s+", -1);
    try {
      if (parts.length == 2) {
        return ofCalendar(Integer.parseInt(parts[0]), ChronoUnit.valueOf(parts[1] + "S"));
      }
    } catch (IllegalArgumentException none) {
      // reported below, with the original text
    }
    throw new IllegalArgumentException(
        "must be 1 DAY, 1 WEEK, 1 YEAR, 1, 2, 3, 4 or 6 MONTH, or QUOTA, not '" + period + "'");
  }

  /**
   * Returns the length, unless it is a period.
   *
   * @return whole seconds; empty for a calendar period or a quota
   */
  public Optional<Duration> length() {
    return Optional.ofNullable(length);
  }

  /**
   * Returns the unit of a calendar period.
   *
   * @return empty for a length or a quota
   */
  public Optional<ChronoUnit> unit() {
    return Optional.ofNullable(unit);
  }

  /**
   * Returns the number of units of a calendar period.
   *
   * @return 0 if it isn't one
   */
  public int amount() {
    return amount;
  }

  /**
   * Returns whether it is the billing period of the caller's quota.
   *
   * @return true only for {@link #ofQuota()}
   */
  public boolean isQuota() {
    return length == null && unit == null;
  }

  /**
   * Returns the window as generated names of rules end with it.
   *
   * @return {@code 60s}, {@code 1month} or {@code quota}
   */
  public String inNames() {
    return toString().replace(" ", "").toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RuleWindow that
        && amount == that.amount
        && unit == that.unit
        && Objects.equals(length, that.length);
  }

  @Override
  public int hashCode() {
    return Objects.hash(length, amount, unit);
  }

  /**
   * Returns the window for people, as it follows "per": {@code minute}, {@code 10 minutes}, {@code
   * month}, {@code billing period}.
   *
   * @return with a number unless it is one of its unit
   */
  public String inWords() {
    if (length != null) {
      return DurationText.asWindow(length);
    }
    return unit == null ? "billing period" : DurationText.asWindow(amount, unit);
  }

  /** Returns the window as rules write it: {@code 60s}, {@code 1 MONTH}, {@code QUOTA}. */
  @Override
  public String toString() {
    if (length != null) {
      return length.toSeconds() + "s";
    }
    return unit == null ? "QUOTA" : text(amount, unit);
  }

  private static String text(int amount, ChronoUnit unit) {
    String name = unit.name();
    return amount + " " + (name.endsWith("S") ? name.substring(0, name.length() - 1) : name);
  }
}
