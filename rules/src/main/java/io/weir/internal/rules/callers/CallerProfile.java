package io.weir.internal.rules.callers;

import io.weir.internal.rules.quotas.QuotaAccount;
import io.weir.internal.rules.rulebook.EpochMicros;
import io.weir.internal.rules.rulebook.OwnLimits;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the database knows of a caller. Immutable.
 *
 * <p>A row that has ended doesn't count: so methods take the time, in microseconds since the epoch.
 */
public final class CallerProfile {
  private static final int MAX_SHARED_TIERS = 1_000;
  private static final Map<String, Optional<String>> TIERS = new ConcurrentHashMap<>();

  private static final CallerProfile NO_ROW =
      new CallerProfile(Optional.empty(), OwnLimits.NONE, false, 0, null, true, true, null);
  private static final CallerProfile UNKNOWN =
      new CallerProfile(Optional.empty(), OwnLimits.NONE, false, 0, null, false, false, null);

  private final Optional<String> tier;
  private final OwnLimits ownLimits;
  private final boolean evaluated;
  private final long until;
  private final @Nullable QuotaAccount quota;
  private final boolean current;
  private final boolean quotaCurrent;
  private final @Nullable ForeignRow foreign;

  /** A row of a table that Weir didn't make. It counts while no row of Weir's own does. */
  private record ForeignRow(UserTier row, Optional<String> tier, OwnLimits ownLimits) {}

  private CallerProfile(
      Optional<String> tier,
      OwnLimits ownLimits,
      boolean evaluated,
      long until,
      @Nullable QuotaAccount quota,
      boolean current,
      boolean quotaCurrent,
      @Nullable ForeignRow foreign) {
    this.tier = tier;
    this.ownLimits = ownLimits;
    this.evaluated = evaluated;
    this.until = until;
    this.quota = quota;
    this.current = current;
    this.quotaCurrent = quotaCurrent;
    this.foreign = foreign;
  }

  public static CallerProfile noRow() {
    return NO_ROW;
  }

  /** Returns the profile of a caller that couldn't be looked up and has no last known profile. */
  public static CallerProfile unknown() {
    return UNKNOWN;
  }

  /**
   * Makes the profile of a caller that was looked up.
   *
   * @param row the row; null if there is none
   * @param quota the account of its quota; null if no rule counts in quotas
   */
  public static CallerProfile of(@Nullable UserTier row, @Nullable QuotaAccount quota) {
    return of(row, null, quota, true);
  }

  /**
   * Makes the profile of a caller that was looked up.
   *
   * @param row the row of Weir's own; null if there is none
   * @param foreign the row of a table that Weir didn't make; null if there is none
   * @param quota the account of its quota; null if no rule counts in quotas
   * @param isCurrent false if the foreign row couldn't be read, and is the last known one
   */
  static CallerProfile of(
      @Nullable UserTier row,
      @Nullable UserTier foreign,
      @Nullable QuotaAccount quota,
      boolean isCurrent) {
    @Nullable ForeignRow other =
        foreign == null
            ? null
            : new ForeignRow(foreign, tier(foreign.tier()), OwnLimits.of(foreign.ownLimits()));
    if (row == null) {
      return quota == null && other == null && isCurrent
          ? NO_ROW
          : new CallerProfile(
              Optional.empty(), OwnLimits.NONE, false, 0, quota, isCurrent, true, other);
    }
    return new CallerProfile(
        tier(row.tier()),
        OwnLimits.of(row.ownLimits()),
        row.state() == UserState.EVALUATION,
        row.validUntil().map(EpochMicros::of).orElse(Long.MAX_VALUE),
        quota,
        isCurrent,
        true,
        other);
  }

  /**
   * Returns the same object for all callers of a tier, for the processor's cache. If a table has
   * very many tiers, each row gets its own.
   */
  private static Optional<String> tier(String name) {
    if (TIERS.size() >= MAX_SHARED_TIERS) {
      return TIERS.getOrDefault(name, Optional.of(name));
    }
    return TIERS.computeIfAbsent(name, Optional::of);
  }

  /** Returns a copy that isn't {@linkplain #isCurrent() current}, for a failed look-up. */
  CallerProfile lastKnown() {
    return tier.isEmpty() && quota == null && foreign == null
        ? UNKNOWN
        : new CallerProfile(tier, ownLimits, evaluated, until, quota, false, false, foreign);
  }

  /**
   * Returns whether Weir's own rows are those of another profile of the caller, apart from the
   * ledger.
   */
  boolean hasRowsOf(CallerProfile other) {
    boolean isSameQuota =
        !quotaCurrent || quota == null || other.quota == null || quota.hasTermsOf(other.quota);
    return isSameQuota
        && tier.equals(other.tier)
        && ownLimits.equals(other.ownLimits)
        && evaluated == other.evaluated
        && until == other.until;
  }

  /** Returns the number of its own limits, of both tables. */
  int ownLimitCount() {
    return ownLimits.size() + (foreign == null ? 0 : foreign.ownLimits.size());
  }

  /** Returns this profile with the quota of an older one, since that couldn't be read this time. */
  CallerProfile withLastQuota(CallerProfile last) {
    return new CallerProfile(
        tier, ownLimits, evaluated, until, last.quota, current, false, foreign);
  }

  /** Returns whether its quota was looked up with it; else it is the last known quota, or none. */
  public boolean isQuotaCurrent() {
    return quotaCurrent;
  }

  /**
   * Returns false if the look-up failed or took too long: then it is the last known profile, or
   * none.
   */
  public boolean isCurrent() {
    return current;
  }

  /** Returns whether the caller is known to have a row, which may have ended. */
  public boolean hasRow() {
    return tier.isPresent() || foreign != null || quota != null && quota.hasRows();
  }

  /** Returns empty if it couldn't be looked up, or no rule counts in quotas. */
  public Optional<QuotaAccount> quota() {
    return Optional.ofNullable(quota);
  }

  /** Returns the row of a table that Weir didn't make. */
  public Optional<UserTier> foreign() {
    return Optional.ofNullable(foreign).map(ForeignRow::row);
  }

  /**
   * Returns whether the caller has a row of Weir's own that hasn't ended. It overrides a row of a
   * table that Weir didn't make.
   */
  public boolean hasOwnRow(long now) {
    return tier.isPresent() && now < until;
  }

  public Optional<String> tier(long now) {
    if (hasOwnRow(now)) {
      return tier;
    }
    return foreign == null ? Optional.empty() : foreign.tier;
  }

  public OwnLimits ownLimits(long now) {
    if (hasOwnRow(now)) {
      return ownLimits;
    }
    return foreign == null ? OwnLimits.NONE : foreign.ownLimits;
  }

  /** Returns whether rules only evaluate the caller: none may refuse it. */
  public boolean isEvaluated(long now) {
    return evaluated && now < until;
  }
}
