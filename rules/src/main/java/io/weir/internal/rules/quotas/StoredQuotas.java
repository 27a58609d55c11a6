package io.weir.internal.rules.quotas;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.ReadableRows;
import io.weir.internal.rules.edit.VersionedRows;
import io.weir.internal.rules.rulebook.column.QuotaColumns;
import io.weir.rules.InvalidRuleException;
import io.weir.rules.Quota;
import io.weir.rules.QuotaGrant;
import io.weir.rules.QuotaPeriod;
import io.weir.rules.Quotas;
import io.weir.rules.RuleProblem;
import io.weir.rules.UserQuota;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The quotas of a database, as people read and edit them. */
public final class StoredQuotas implements Quotas {
  private static final int MOST = 1_000;

  private final RuleDatabase database;
  private final VersionedRows rows;
  private final QuotaAccounts accounts;
  private final QuotaSettlements settlements;
  private final QuotaLedger ledger;
  private final Function<String, Optional<QuotaCounter>> counters;
  private final LongSupplier clock;

  /**
   * Opens the quotas.
   *
   * @param database the rows
   * @param rows the rows that people edit
   * @param accounts reads them
   * @param settlements closes periods
   * @param ledger knows what isn't written yet
   * @param counters how the quota of a user is counted; nothing for one who has none
   * @param clock microseconds since the epoch
   */
  public StoredQuotas(
      RuleDatabase database,
      VersionedRows rows,
      QuotaAccounts accounts,
      QuotaSettlements settlements,
      QuotaLedger ledger,
      Function<String, Optional<QuotaCounter>> counters,
      LongSupplier clock) {
    this.database = database;
    this.rows = rows;
    this.accounts = accounts;
    this.settlements = settlements;
    this.ledger = ledger;
    this.counters = counters;
    this.clock = clock;
  }

  @Override
  public Optional<Quota> find(String userId) {
    return counters.apply(userId).map(counter -> find(userId, counter));
  }

  private Quota find(String userId, QuotaCounter counter) {
    QuotaState state = state(userId, counter);
    long stored = QuotaSettlements.stored(counter, state.period());
    return state.quota(userId, Math.max(stored, known(userId, state)));
  }

  private QuotaState state(String userId, QuotaCounter counter) {
    QuotaAccount account = accounts.read(userId);
    QuotaState state = QuotaState.of(account, counter.terms(), clock.getAsLong());
    if (state.mustSettle() && account.hasOpenBefore(state.period())) {
      account = settlements.settle(userId, counter);
      state = QuotaState.of(account, counter.terms(), clock.getAsLong());
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
        .flatMap(row -> ReadableRows.value(row, QuotaColumns::read));
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
      // One that can't be read is told of where accounts are read.
      ReadableRows.value(row, QuotaColumns::readGrant).ifPresent(grants::add);
    }
    Collections.reverse(grants);
    return List.copyOf(grants.subList(0, Math.min(MOST, grants.size())));
  }

  @Override
  public QuotaGrant grant(QuotaGrant grant, String author) {
    boolean isPast =
        grant.validUntil().isPresent()
            && !grant.validUntil().get().isAfter(BillingPeriod.instant(clock.getAsLong()));
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
    if (most < 1 || most > MOST) {
      throw new IllegalArgumentException("must be 1 to 1,000 periods, not " + most);
    }
    return database.inTransaction(
        "quota_periods can't be read", connection -> PeriodTable.of(connection, userId, most));
  }
}
