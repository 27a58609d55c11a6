package io.weir.internal.rules.quotas;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.StoredRowReader;
import io.weir.internal.rules.edit.VersionedRowEditor;
import io.weir.internal.rules.rulebook.column.QuotaColumns;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.quota.Quota;
import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.QuotaPeriod;
import io.weir.rules.quota.Quotas;
import io.weir.rules.quota.UserQuota;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads, edits and takes quotas through the API. */
public final class DefaultQuotas implements Quotas {
  private static final int MAX_ROWS = 1_000;

  private final RuleDatabase database;
  private final VersionedRowEditor rows;
  private final QuotaAccountReader accounts;
  private final PeriodCloser closer;
  private final QuotaLedger ledger;
  private final Function<String, Optional<QuotaCounter>> counters;
  private final Ticker ticker;

  /**
   * Opens the quotas.
   *
   * @param counters finds how the quota of a user is counted; empty for a user without one
   */
  public DefaultQuotas(
      RuleDatabase database,
      VersionedRowEditor rows,
      QuotaAccountReader accounts,
      PeriodCloser closer,
      QuotaLedger ledger,
      Function<String, Optional<QuotaCounter>> counters,
      Ticker ticker) {
    this.database = database;
    this.rows = rows;
    this.accounts = accounts;
    this.closer = closer;
    this.ledger = ledger;
    this.counters = counters;
    this.ticker = ticker;
  }

  @Override
  public Optional<Quota> find(String userId) {
    return counters.apply(userId).map(counter -> find(userId, counter));
  }

  private Quota find(String userId, QuotaCounter counter) {
    QuotaState state = state(userId, counter);
    long stored = PeriodCloser.stored(counter, state.period());
    return state.quota(userId, Math.max(stored, known(userId, state)));
  }

  private QuotaState state(String userId, QuotaCounter counter) {
    QuotaAccount account = accounts.read(userId);
    QuotaState state = QuotaState.of(account, counter.terms(), ticker.epochMicros());
    if (state.mustClose() && account.hasOpenBefore(state.period())) {
      account = closer.closeNow(userId, counter);
      state = QuotaState.of(account, counter.terms(), ticker.epochMicros());
    }
    return state;
  }

  private long known(String userId, QuotaState state) {
    return Math.max(state.written(), ledger.known(userId, state.period()));
  }

  @Override
  public Optional<Decision> use(String userId, long permits) {
    if (permits < 1 || permits > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "permits must be 1 to 1,000,000,000, not %,d", permits));
    }
    Optional<QuotaCounter> counter = counters.apply(userId);
    if (counter.isEmpty()) {
      return Optional.empty();
    }
    QuotaState state = state(userId, counter.get());
    Decision decision = counter.get().take(state, known(userId, state), permits);
    decision.parts().forEach(part -> ledger.add(userId, part));
    return Optional.of(decision);
  }

  @Override
  public Optional<UserQuota> settings(String userId) {
    return rows.find(RuleTable.QUOTAS, userId)
        .flatMap(row -> StoredRowReader.value(row, QuotaColumns::read));
  }

  @Override
  public UserQuota save(UserQuota quota, String author) {
    Map<String, String> columns = QuotaColumns.write(quota);
    StoredRow row =
        quota.version() == 0
            ? rows.insert(RuleTable.QUOTAS, columns, author)
            : rows.replace(RuleTable.QUOTAS, quota.userId(), quota.version(), columns, author);
    return QuotaColumns.read(row);
  }

  @Override
  public void delete(String userId, long version, String author) {
    rows.delete(RuleTable.QUOTAS, userId, version, author);
  }

  @Override
  public List<QuotaGrant> grants(String userId) {
    List<QuotaGrant> grants = new ArrayList<>();
    for (StoredRow row : database.ofUsers(RuleTable.GRANTS, List.of(userId))) {
      // Rows that can't be read are reported when accounts are read.
      StoredRowReader.value(row, QuotaColumns::readGrant).ifPresent(grants::add);
    }
    Collections.reverse(grants);
    return List.copyOf(grants.subList(0, Math.min(MAX_ROWS, grants.size())));
  }

  @Override
  public QuotaGrant grant(QuotaGrant grant, String author) {
    boolean isPast =
        grant.validUntil().isPresent()
            && !grant.validUntil().get().isAfter(BillingPeriod.instant(ticker.epochMicros()));
    if (isPast) {
      throw new InvalidRuleException(
          List.of(
              new RuleProblem(
                  RuleTable.GRANTS.tableName(),
                  "a new grant",
                  "valid_until",
                  "must be in the future, not " + grant.validUntil().get(),
                  false)));
    }
    return QuotaColumns.readGrant(
        rows.insert(RuleTable.GRANTS, QuotaColumns.write(grant, author), author));
  }

  @Override
  public void revoke(long id, long version, String author) {
    rows.delete(RuleTable.GRANTS, Long.toString(id), version, author);
  }

  @Override
  public List<QuotaPeriod> periods(String userId, int most) {
    if (most < 1 || most > MAX_ROWS) {
      throw new IllegalArgumentException("most must be 1 to 1,000, not " + most);
    }
    return database.inTransaction(
        "quota_periods can't be read", connection -> PeriodTable.of(connection, userId, most));
  }
}
