package io.weir.internal.rules.quotas;

import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.edit.PastRows;
import io.weir.internal.rules.edit.ReadableRows;
import io.weir.internal.rules.rulebook.column.QuotaColumns;
import io.weir.rules.InvalidRuleException;
import io.weir.rules.QuotaGrant;
import io.weir.rules.RuleProblem;
import io.weir.rules.RulesUnavailableException;
import io.weir.rules.UserQuota;
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
 * Reads accounts, each up to 500 by three statements. A row of settings that can't be used counts
 * as its last good version; a grant that can't is left out.
 *
 * <p>Safe for concurrent use.
 */
public final class QuotaAccounts {

  private static final long NO_LEDGER_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final RuleDatabase database;
  private final LongSupplier clock;
  private final Consumer<List<RuleProblem>> teller;
  private volatile long noLedgerUntil = System.nanoTime();

  /**
   * Reads nothing yet.
   *
   * @param database has the rows
   * @param clock microseconds since the epoch
   * @param teller is told of rows that can't be used, perhaps of one more than once
   */
  public QuotaAccounts(
      RuleDatabase database, LongSupplier clock, Consumer<List<RuleProblem>> teller) {
    this.database = database;
    this.clock = clock;
    this.teller = teller;
  }

  /**
   * Reads accounts.
   *
   * @param userIds at most 500
   * @return one for each, of those without rows too
   * @throws RulesUnavailableException if the database can't be reached
   */
  public Map<String, QuotaAccount> read(Collection<String> userIds) {
    long now = clock.getAsLong();
    // First: grants that are read later have been lowered by whoever closed a period here.
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
              now));
    }
    return accounts;
  }

  /**
   * Reads one account.
   *
   * @param userId whose
   * @return the account, also of one without rows
   * @throws RulesUnavailableException if the database can't be reached
   */
  public QuotaAccount read(String userId) {
    return Objects.requireNonNull(read(List.of(userId)).get(userId));
  }

  /** Whether an adopted database has no table for the ledger. */
  boolean isWithoutLedger() {
    return System.nanoTime() - noLedgerUntil < 0;
  }

  private Map<String, List<LedgerRow>> rows(Collection<String> userIds) {
    if (userIds.isEmpty() || isWithoutLedger()) {
      return Map.of();
    }
    try {
      return database.inTransaction(
          "quota_periods can't be read", connection -> PeriodTable.latest(connection, userIds));
    } catch (RulesUnavailableException failed) {
      if (!SqlState.isNoTable(failed)) {
        throw failed;
      }
      noLedgerUntil = System.nanoTime() + NO_LEDGER_NANOS; // somebody may make it meanwhile
      teller.accept(
          List.of(
              new RuleProblem(
                  "quota_periods",
                  "quotas",
                  "",
                  "there is no such table: quotas have neither a ledger nor rollover",
                  true)));
      return Map.of();
    }
  }

  private Optional<UserQuota> settings(StoredRow row) {
    try {
      return Optional.of(ReadableRows.read(row, QuotaColumns::read));
    } catch (InvalidRuleException bad) {
      teller.accept(bad.problems());
      return lastGood(row.key());
    }
  }

  private Optional<UserQuota> lastGood(String userId) {
    return ReadableRows.newest(
        PastRows.versions(database.changesOf(RuleTable.QUOTAS.tableName(), userId)),
        QuotaColumns::read);
  }

  private Optional<QuotaGrant> grant(StoredRow row) {
    try {
      return Optional.of(ReadableRows.read(row, QuotaColumns::readGrant));
    } catch (InvalidRuleException bad) {
      teller.accept(bad.problems());
      return Optional.empty();
    }
  }
}
