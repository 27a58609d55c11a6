package io.weir.internal.rules.quotas;

import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.UserQuota;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the database knows of a user's quota.
 *
 * <p>Safe for concurrent use.
 */
public final class QuotaAccount {
  private final String userId;
  private final Optional<UserQuota> settings;
  private final List<QuotaGrant> grants;
  private final List<LedgerRow> rows;
  private final long readAt;
  private final long storeLosses;

  /** Caches the period of the last request, since calculating it is slow. */
  private volatile @Nullable BillingPeriod running;

  /** Creates an account of a store that isn't known to have lost data. */
  public QuotaAccount(
      String userId,
      Optional<UserQuota> settings,
      List<QuotaGrant> grants,
      List<LedgerRow> rows,
      long readAt) {
    this(userId, settings, grants, rows, readAt, 0);
  }

  /**
   * Creates an account.
   *
   * @param settings its row of {@code user_quotas}
   * @param grants those with permits left
   * @param rows the latest periods, the newest first
   * @param readAt the time at which reading began, in microseconds since the epoch
   * @param storeLosses how often the store was known by then to have lost its data
   */
  QuotaAccount(
      String userId,
      Optional<UserQuota> settings,
      List<QuotaGrant> grants,
      List<LedgerRow> rows,
      long readAt,
      long storeLosses) {
    this.storeLosses = storeLosses;
    this.userId = userId;
    this.settings = settings;
    this.grants = List.copyOf(grants);
    this.rows = List.copyOf(rows);
    this.readAt = readAt;
  }

  public String userId() {
    return userId;
  }

  /** Returns false for a user with nothing but the limit of a rule. */
  public boolean hasRows() {
    return settings.isPresent() || !grants.isEmpty() || !rows.isEmpty();
  }

  /**
   * Returns the period that contains a moment. Changed settings don't change a period that has
   * begun.
   *
   * @param now microseconds since the epoch
   */
  public BillingPeriod period(long now) {
    BillingPeriod known = running;
    if (known == null || !known.contains(now)) {
      known = find(now);
      running = known;
    }
    return known;
  }

  private BillingPeriod find(long now) {
    int day = settings.map(UserQuota::billingDay).orElse(1);
    ZoneId zone = settings.map(UserQuota::zone).orElse(ZoneOffset.UTC);
    for (LedgerRow each : rows) {
      if (each.period().contains(now)) {
        return each.period();
      }
      if (each.period().end() <= now) {
        return BillingPeriod.after(each.period().end(), now, day, zone);
      }
    }
    return BillingPeriod.at(now, day, zone);
  }

  /** Returns the ledger's row of a period; null if it has none. */
  @Nullable LedgerRow row(BillingPeriod period) {
    for (LedgerRow each : rows) {
      if (each.period().begin() == period.begin()) {
        return each;
      }
    }
    return null;
  }

  /** Returns the latest row of a period before another; null if it has none. */
  @Nullable LedgerRow before(BillingPeriod period) {
    for (LedgerRow each : rows) {
      if (each.period().begin() < period.begin()) {
        return each;
      }
    }
    return null;
  }

  boolean hasOpenBefore(BillingPeriod period) {
    for (LedgerRow each : rows) {
      if (each.period().begin() < period.begin() && !each.isClosed()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether it was read late enough to know what came over from the last period.
   *
   * @param now microseconds since the epoch
   */
  public boolean isReadFor(long now) {
    BillingPeriod period = period(now);
    LedgerRow row = row(period);
    long due = period.begin() + BillingPeriod.CLOSING_DELAY_MICROS;
    return row != null && row.rollover().isPresent() || now < due || readAt >= due;
  }

  /**
   * Returns whether settings and grants are the same as those of another account of the user,
   * whatever the ledgers have.
   */
  public boolean hasTermsOf(QuotaAccount other) {
    return settings.equals(other.settings) && Set.copyOf(grants).equals(Set.copyOf(other.grants));
  }

  /**
   * Returns whether it decides as well as a newer one would: it was read in the current period, and
   * the store has still what it had counted by then.
   *
   * @param now microseconds since the epoch
   * @param losses how often the store is known to have lost its data
   */
  public boolean isValid(long now, long losses) {
    return storeLosses == losses && readAt >= period(now).begin();
  }

  Optional<UserQuota> settings() {
    return settings;
  }

  List<QuotaGrant> grants() {
    return grants;
  }

  /** Returns the latest periods, the newest first. */
  List<LedgerRow> rows() {
    return rows;
  }

  /** Returns the time at which reading began, in microseconds since the epoch. */
  long readAt() {
    return readAt;
  }

  /**
   * Returns the permits that come over into a period after closed ones. Only the period right
   * before it counts: a period without a row was unused.
   *
   * @param last the latest row before it; null if there is none
   */
  long rollover(@Nullable LedgerRow last, BillingPeriod period, QuotaTerms rule) {
    if (last == null) {
      return settings.map(UserQuota::rolloverAmount).orElse(0L);
    }
    return leftOver(last.period().end() == period.begin() ? last.used() : 0, rule);
  }

  /** Returns the permits that a period leaves to the next one. */
  long leftOver(long used, QuotaTerms rule) {
    return Math.min(maxRollover(rule), Math.max(0, limit(rule) - used));
  }

  /** Returns the permits of each period. */
  long limit(QuotaTerms rule) {
    return settings.isPresent() ? settings.get().monthlyLimit().orElse(rule.limit()) : rule.limit();
  }

  private long maxRollover(QuotaTerms rule) {
    return settings.isPresent()
        ? settings.get().maxRollover().orElse(rule.maxRollover())
        : rule.maxRollover();
  }
}
