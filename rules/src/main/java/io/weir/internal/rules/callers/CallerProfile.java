package io.weir.internal.rules.callers;

import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.internal.rules.rulebook.EpochMicros;
import io.weir.internal.rules.rulebook.OwnLimits;
import io.weir.rules.UserState;
import io.weir.rules.UserTier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the database says of a caller. Immutable.
 *
 * <p>A row that has ended says nothing: so each question names the time, in microseconds since the
 * epoch.
 */
public final class CallerProfile {
  private static final int MOST_TIERS = 1_000;
  private static final Map<String, Optional<String>> TIERS = new ConcurrentHashMap<>();

  private static final CallerProfile NO_ROW =
      new CallerProfile(Optional.empty(), OwnLimits.NONE, false, 0, null, true);
  private static final CallerProfile UNKNOWN =
      new CallerProfile(Optional.empty(), OwnLimits.NONE, false, 0, null, false);

  private final Optional<String> tier;
  private final OwnLimits ownLimits;
  private final boolean evaluated;
  private final long until;
  private final @Nullable QuotaAccount quota;
  private final boolean current;

  private CallerProfile(
      Optional<String> tier,
      OwnLimits ownLimits,
      boolean evaluated,
      long until,
      @Nullable QuotaAccount quota,
      boolean current) {
    this.tier = tier;
    this.ownLimits = ownLimits;
    this.evaluated = evaluated;
    this.until = until;
    this.quota = quota;
    this.current = current;
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
   * Of one who was looked up.
   *
   * @param row the row; null for one who has none
   * @param quota what there is of its quota; null if no rule counts in quotas
   * @return what both say
   */
  public static CallerProfile of(@Nullable UserTier row, @Nullable QuotaAccount quota) {
    if (row == null) {
      return quota == null
          ? NO_ROW
          : new CallerProfile(Optional.empty(), OwnLimits.NONE, false, 0, quota, true);
    }
    return new CallerProfile(
        tier(row.tier()),
        OwnLimits.of(row.ownLimits()),
        row.state() == UserState.EVALUATION,
        row.validUntil().map(EpochMicros::of).orElse(Long.MAX_VALUE),
        quota,
        true);
  }

  /**
   * The same object for all callers of a tier, so that a processor has it at hand. Tables that name
   * more tiers than anybody would sell get an object for each row.
   */
  private static Optional<String> tier(String name) {
    if (TIERS.size() >= MOST_TIERS) {
      return TIERS.getOrDefault(name, Optional.of(name));
    }
    return TIERS.computeIfAbsent(name, Optional::of);
  }

  /**
   * The same as it was last known, where it couldn't be looked up again.
   *
   * @return a copy that isn't {@linkplain #isCurrent() current}
   */
  CallerProfile lastKnown() {
    return tier.isEmpty() && quota == null
        ? UNKNOWN
        : new CallerProfile(tier, ownLimits, evaluated, until, quota, false);
  }

  /**
   * Whether it is what the database says.
   *
   * @return false if it couldn't be asked in time: then it is what was last known, or nothing
   */
  public boolean isCurrent() {
    return current;
  }

  /**
   * Whether it has a row, as far as is known; one that has ended is one too.
   *
   * @return false for one whom the database doesn't know, and for one who couldn't be looked up
   */
  public boolean hasRow() {
    return tier.isPresent() || quota != null && quota.hasRows();
  }

  /**
   * What the database has of its quota.
   *
   * @return nothing if it couldn't be asked, or hasn't been since no rule counts in quotas
   */
  public Optional<QuotaAccount> quota() {
    return Optional.ofNullable(quota);
  }

  /**
   * The tier of its row.
   *
   * @param now the time
   * @return nothing if it has no row, or its row has ended
   */
  public Optional<String> tier(long now) {
    return now < until ? tier : Optional.empty();
  }

  /**
   * Its own limits.
   *
   * @param now the time
   * @return none if it has no row, or its row has ended
   */
  public OwnLimits ownLimits(long now) {
    return now < until ? ownLimits : OwnLimits.NONE;
  }

  /**
   * Whether rules only measure it.
   *
   * @param now the time
   * @return true for one that no rule is to refuse
   */
  public boolean isEvaluated(long now) {
    return evaluated && now < until;
  }
}
