package io.weir.internal.rules.quotas;

import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.UserQuota;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the database has of a user's quota.
 *
 * <p>Safe for concurrent use.
 */
public final class QuotaAccount {
  private final String userId;
  private final Optional<UserQuota> settings;
  private final List<QuotaGrant> grants;
  private final List<LedgerRow> rows;
  private final long readAt;

  /** Most requests of a caller lie in one period, and working it out takes a while. */
  private volatile @Nullable BillingPeriod running;

  /**
   * An account as it was read.
   *
   * @param userId whose
   * @param settings its row of {@code user_quotas}
   * @param grants those that have something left
   * @param rows its latest periods, the newest first
   * @param readAt when the reading began, in microseconds since the epoch
   */
  public QuotaAccount(
      String userId,
      Optional<UserQuota> settings,
      List<QuotaGrant> grants,
      List<LedgerRow> rows,
      long readAt) {
    this.userId = userId;
    this.settings = settings;
    this.grants = List.copyOf(grants);
    this.rows = List.copyOf(rows);
    this.readAt = readAt;
  }

  /**
   * Whose it is.
   *
   * @return the {@code user_id} of its rows, where there are any
   */
  public String userId() {
    return userId;
  }

  /**
   * Whether the database has anything of it.
   *
   * @return false for one who has only what a rule gives
   */
  public boolean hasRows() {
    return settings.isPresent() || !grants.isEmpty() || !rows.isEmpty();
  }

  /**
   * The period that a moment lies in. One that has begun goes on as it is, whatever the settings
   * say now.
   *
   * @param now microseconds since the epoch
   * @return the period
   */
  public BillingPeriod period(long now) {
    BillingPeriod known = running;
    if (known == null || !known.holds(now)) {
      known = find(now);
      running = known;
    }
    return known;
  }

  private BillingPeriod find(long now) {
    int day = settings.map(UserQuota::billingDay).orElse(1);
    ZoneId zone = settings.map(UserQuota::zone).orElse(ZoneOffset.UTC);
    for (LedgerRow each : rows) {
      if (each.period().holds(now)) {
        return each.period();
      }
      if (each.period().end() <= now) {
        return BillingPeriod.after(each.period().end(), now, day, zone);
      }
    }
    return BillingPeriod.at(now, day, zone);
  }

  /** The ledger's row of a period; null if it has none. */
  @Nullable LedgerRow row(BillingPeriod period) {
    for (LedgerRow each : rows) {
      if (each.period().begin() == period.begin()) {
        return each;
      }
    }
    return null;
  }

  /** The latest row of a period that ended before another began; null if it has none. */
  @Nullable LedgerRow before(BillingPeriod period) {
    for (LedgerRow each : rows) {
      if (each.period().begin() < period.begin()) {
        return each;
      }
    }
    return null;
  }

  /** Whether a period ended before another began, and nobody has closed it. */
  boolean hasOpenBefore(BillingPeriod period) {
    for (LedgerRow each : rows) {
      if (each.period().begin() < period.begin() && !each.isClosed()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether it was read late enough to know what the last period left.
   *
   * @param now microseconds since the epoch
   * @return false if it should be read again
   */
  public boolean isReadFor(long now) {
    BillingPeriod period = period(now);
    LedgerRow row = row(period);
    long due = period.begin() + QuotaState.SETTLED_MICROS;
    return row != null && row.rollover().isPresent() || now < due || readAt >= due;
  }

  Optional<UserQuota> settings() {
    return settings;
  }

  List<QuotaGrant> grants() {
    return grants;
  }

  /** Its latest periods, the newest first. */
  List<LedgerRow> rows() {
    return rows;
  }

  /** When the reading began, in microseconds since the epoch. */
  long readAt() {
    return readAt;
  }

  /**
   * What comes over into a period, of which all before it are closed. Only the period right before
   * counts: one without a row was unused.
   *
   * @param last the latest row before it; null if there is none
   */
  long rollover(@Nullable LedgerRow last, BillingPeriod period, QuotaTerms rule) {
    if (last == null) {
      return settings.map(UserQuota::rolloverAmount).orElse(0L);
    }
    return left(last.period().end() == period.begin() ? last.used() : 0, rule);
  }

  /** What a period of which so much was used leaves to the next one. */
  long left(long used, QuotaTerms rule) {
    return Math.min(maxRollover(rule), Math.max(0, limit(rule) - used));
  }

  long limit(QuotaTerms rule) {
    return settings.isPresent() ? settings.get().monthlyLimit().orElse(rule.limit()) : rule.limit();
  }

  private long maxRollover(QuotaTerms rule) {
    return settings.isPresent()
        ? settings.get().maxRollover().orElse(rule.maxRollover())
        : rule.maxRollover();
  }
}
