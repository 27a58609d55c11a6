package io.weir.internal.rules.quotas;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.RowHistoryReader;
import io.weir.internal.rules.edit.StoredRowReader;
import io.weir.internal.rules.rulebook.column.QuotaColumns;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.UserQuota;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reads up to 500 accounts by three statements. Settings that can't be read count as their last
 * readable version; a grant that can't be read is left out.
 *
 * <p>Safe for concurrent use.
 */
public final class QuotaAccountReader {

  private static final long NO_LEDGER_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final RuleDatabase database;
  private final Ticker ticker;
  private final LongSupplier storeLosses;
  private final Consumer<List<RuleProblem>> problems;
  private volatile long noLedgerUntil;

  /**
   * Reads nothing yet.
   *
   * @param storeLosses how often the store is known to have lost its data
   * @param problems receives rows that can't be read, each perhaps more than once
   */
  public QuotaAccountReader(
      RuleDatabase database,
      Ticker ticker,
      LongSupplier storeLosses,
      Consumer<List<RuleProblem>> problems) {
    this.storeLosses = storeLosses;
    this.database = database;
    this.ticker = ticker;
    this.noLedgerUntil = ticker.nanoTime();
    this.problems = problems;
  }

  /**
   * Reads accounts.
   *
   * @param userIds at most 500
   * @return an account for each, also without rows
   * @throws RulesUnavailableException if the database can't be reached
   */
  public Map<String, QuotaAccount> read(Collection<String> userIds) {
    long now = ticker.epochMicros();
    long losses = storeLosses.getAsLong();
    // First: grants that are read later are lowered if a period is closed here.
    Map<String, List<LedgerRow>> rows = rows(userIds);
    Map<String, UserQuota> settings = new HashMap<>();
    for (StoredRow row : database.ofUsers(RuleTable.QUOTAS, userIds)) {
      settings(row).ifPresent(quota -> settings.put(row.key(), quota));
    }
    Map<String, List<QuotaGrant>> grants = new HashMap<>();
    for (StoredRow row : database.ofUsers(RuleTable.GRANTS, userIds)) {
      grant(row)
          .filter(each -> each.remaining() > 0)
          .ifPresent(
              each -> grants.computeIfAbsent(each.userId(), any -> new ArrayList<>()).add(each));
    }
    Map<String, QuotaAccount> accounts = new HashMap<>();
    for (String each : userIds) {
      accounts.put(
          each,
          new QuotaAccount(
              each,
              Optional.ofNullable(settings.get(each)),
              grants.getOrDefault(each, List.of()),
              rows.getOrDefault(each, List.of()),
              now,
              losses));
    }
    return accounts;
  }

  /** Reads one account, as {@link #read(Collection)} does. */
  public QuotaAccount read(String userId) {
    return Objects.requireNonNull(read(List.of(userId)).get(userId));
  }

  /** Returns whether the database was found without a table for the ledger lately. */
  boolean isWithoutLedger() {
    return ticker.nanoTime() - noLedgerUntil < 0;
  }

  private Map<String, List<LedgerRow>> rows(Collection<String> userIds) {
    if (userIds.isEmpty() || isWithoutLedger()) {
      return Map.of();
    }
    try {
      return database.query(
          "quota_periods can't be read",
          connection -> PeriodTable.latest(connection, userIds, this::unreadable));
    } catch (RulesUnavailableException failed) {
      boolean isMissing = SqlState.isNoTable(failed);
      if (!isMissing && !SqlState.isNoRight(failed)) {
        throw failed;
      }
      noLedgerUntil = ticker.nanoTime() + NO_LEDGER_NANOS; // it may be created meanwhile
      problem(
          "quotas",
          (isMissing ? "the table is missing" : "the table may not be read")
              + ": quotas have neither a ledger nor rollover");
      return Map.of();
    }
  }

  private void unreadable(String userId) {
    problem(
        RuleTable.QUOTAS.shown(userId),
        "a row of this user can't be read, and is ignored: its times must be in the years 1970 to"
            + " 9999");
  }

  private void problem(String row, String message) {
    problems.accept(List.of(new RuleProblem("quota_periods", row, "", message, true)));
  }

  private Optional<UserQuota> settings(StoredRow row) {
    try {
      return Optional.of(StoredRowReader.read(row, QuotaColumns::read));
    } catch (InvalidRuleException bad) {
      problems.accept(bad.problems());
      return lastGood(row.key());
    }
  }

  private Optional<UserQuota> lastGood(String userId) {
    return StoredRowReader.newest(
        RowHistoryReader.versions(database.changesOf(RuleTable.QUOTAS.tableName(), userId)),
        QuotaColumns::read);
  }

  private Optional<QuotaGrant> grant(StoredRow row) {
    try {
      return Optional.of(StoredRowReader.read(row, QuotaColumns::readGrant));
    } catch (InvalidRuleException bad) {
      problems.accept(bad.problems());
      return Optional.empty();
    }
  }
}
