package io.weir.internal.rules.callers;

import io.weir.rules.OwnLimit;
import io.weir.rules.UserState;
import io.weir.rules.UserTier;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the database says of a caller. Immutable.
 *
 * <p>A row that has ended says nothing: so each question names the time.
 */
public final class CallerProfile {
  private static final CallerProfile NO_ROW = new CallerProfile(Optional.empty(), true);
  private static final CallerProfile UNKNOWN = new CallerProfile(Optional.empty(), false);

  private final Optional<UserTier> row;
  private final boolean isCurrent;

  private CallerProfile(Optional<UserTier> row, boolean isCurrent) {
    this.row = row;
    this.isCurrent = isCurrent;
  }

  /**
   * Of one whom the database doesn't know.
   *
   * @return always the same
   */
  public static CallerProfile noRow() {
    return NO_ROW;
  }

  /**
   * Of one who couldn't be looked up, and isn't known from before.
   *
   * @return always the same
   */
  public static CallerProfile unknown() {
    return UNKNOWN;
  }

  /**
   * Of one who has a row.
   *
   * @param row the row
   * @return what it says
   */
  public static CallerProfile of(UserTier row) {
    return new CallerProfile(Optional.of(row), true);
  }

  /**
   * The same as it was last known, where it couldn't be looked up again.
   *
   * @return a copy that isn't {@linkplain #isCurrent() current}
   */
  CallerProfile lastKnown() {
    return row.isEmpty() ? UNKNOWN : new CallerProfile(row, false);
  }

  /**
   * Whether it is what the database says.
   *
   * @return false if it couldn't be asked in time: then it is what was last known, or nothing
   */
  public boolean isCurrent() {
    return isCurrent;
  }

  private boolean holds(Instant now) {
    return row.isPresent()
        && (row.get().validUntil().isEmpty() || now.isBefore(row.get().validUntil().get()));
  }

  /**
   * The tier of its row.
   *
   * @param now the time
   * @return nothing if it has no row, or its row has ended
   */
  public Optional<String> tier(Instant now) {
    return holds(now) ? row.map(UserTier::tier) : Optional.empty();
  }

  /**
   * Its own limits.
   *
   * @param now the time
   * @return none if it has no row, or its row has ended; always the same list for a row
   */
  public List<OwnLimit> ownLimits(Instant now) {
    return holds(now) ? row.orElseThrow().ownLimits() : List.of();
  }

  /**
   * Whether rules only measure it.
   *
   * @param now the time
   * @return true for one that no rule is to refuse
   */
  public boolean isEvaluated(Instant now) {
    return holds(now) && row.orElseThrow().state() == UserState.EVALUATION;
  }
}
