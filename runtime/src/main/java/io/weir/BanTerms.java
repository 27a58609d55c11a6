package io.weir;

import io.weir.annotation.BanScope;
import io.weir.internal.value.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * Holds the terms under which a policy bans callers: the strikes that it takes, what a strike is,
 * and how long a ban lasts.
 *
 * <p>Immutable. Made by a {@link PolicyBuilder}, with all defaults filled in.
 *
 * @see io.weir.annotation.RateLimit#banAfter
 */
public final class BanTerms {
  /** The most strikes that a ban can take: 1,000,000. */
  public static final long MAX_AFTER = 1_000_000;

  private final long after;
  private final Duration within;
  private final Duration first;
  private final Duration atMost;
  private final boolean onRefusals;
  private final Set<Integer> statuses;
  private final BanScope scope;

  BanTerms(
      long after,
      Duration within,
      Duration first,
      Duration atMost,
      boolean onRefusals,
      Set<Integer> statuses,
      BanScope scope) {
    this.after = after;
    this.within = within;
    this.first = first;
    this.atMost = atMost;
    this.onRefusals = onRefusals;
    this.statuses = Set.copyOf(statuses);
    this.scope = scope;
  }

  /**
   * Returns the strikes after which a caller is banned.
   *
   * @return 1 to 1,000,000
   */
  public long after() {
    return after;
  }

  /**
   * Returns the time within which that many strikes lead to a ban.
   *
   * @return 1 second to 366 days
   */
  public Duration within() {
    return within;
  }

  /**
   * Returns the length of a caller's first ban.
   *
   * @return 1 second to 366 days
   */
  public Duration first() {
    return first;
  }

  /**
   * Returns the length of the longest ban.
   *
   * @return the length of the first to 366 days
   */
  public Duration atMost() {
    return atMost;
  }

  /**
   * Returns the length of a ban: each is twice as long as the one before, up to the longest.
   *
   * @param before the number of the caller's bans before it, 0 and more
   * @return the length
   */
  public Duration length(long before) {
    Duration length = first;
    for (long i = 0; i < before && length.compareTo(atMost) < 0; i++) {
      length = length.multipliedBy(2);
    }
    return length.compareTo(atMost) < 0 ? length : atMost;
  }

  /**
   * Returns whether a refusal by the policy is a strike if it comes before the {@code Retry-After}
   * of an earlier one to the same caller.
   *
   * @return true if so
   */
  public boolean onRefusals() {
    return onRefusals;
  }

  /**
   * Returns the statuses of the application's responses that are strikes.
   *
   * @return 400 to 599, perhaps none; unmodifiable
   */
  public Set<Integer> statuses() {
    return statuses;
  }

  /**
   * Returns what a banned caller is kept out of.
   *
   * @return the policy's endpoints, or the whole application
   */
  public BanScope scope() {
    return scope;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BanTerms that
        && after == that.after
        && within.equals(that.within)
        && first.equals(that.first)
        && atMost.equals(that.atMost)
        && onRefusals == that.onRefusals
        && statuses.equals(that.statuses)
        && scope == that.scope;
  }

  @Override
  public int hashCode() {
    return Objects.hash(after, within, first, atMost, onRefusals, statuses, scope);
  }

  /** Returns strikes, time and length in words. */
  @Override
  public String toString() {
    return (after == 1 ? "1 strike" : after + " strikes")
        + " within "
        + DurationText.inWords(within)
        + ": banned for "
        + DurationText.inWords(first);
  }
}
