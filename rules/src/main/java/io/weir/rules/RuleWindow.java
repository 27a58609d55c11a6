package io.weir.rules;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The window of a rule: a length of time, a calendar period, or the quota of its caller.
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
   * A window of so many seconds, as {@code window_seconds} has it.
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
   * A period of the calendar.
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
   * The billing period of the caller's quota.
   *
   * @return always the same
   */
  public static RuleWindow ofQuota() {
    return QUOTA;
  }

  /**
   * A period as the column {@code period} has it: {@code 1 DAY}, {@code 3 MONTH}, {@code QUOTA}.
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
      // told below, with the text as it was written
    }
    throw new IllegalArgumentException(
        "must be 1 DAY, 1 WEEK, 1 YEAR, 1, 2, 3, 4 or 6 MONTH, or QUOTA, not '" + period + "'");
  }

  /**
   * The length of a window that isn't of the calendar.
   *
   * @return whole seconds; nothing of a period
   */
  public Optional<Duration> length() {
    return Optional.ofNullable(length);
  }

  /**
   * The unit of a calendar period.
   *
   * @return nothing of a length, and of a quota
   */
  public Optional<ChronoUnit> unit() {
    return Optional.ofNullable(unit);
  }

  /**
   * How many units a calendar period has.
   *
   * @return 0 if it isn't one
   */
  public int amount() {
    return amount;
  }

  /**
   * Whether it is the billing period of the caller's quota.
   *
   * @return true only for {@link #ofQuota()}
   */
  public boolean isQuota() {
    return length == null && unit == null;
  }

  /**
   * The window as made names of rules end with it.
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

  /** As rules are written: {@code 60s}, {@code 1 MONTH}, {@code QUOTA}. */
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
