package io.weir.internal.rules.edit;

import io.weir.access.AccessSubject;
import io.weir.internal.rules.database.BanRows;
import io.weir.internal.rules.database.HistoryFilter;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TableColumns;
import io.weir.internal.rules.rulebook.column.AccessColumns;
import io.weir.internal.rules.rulebook.column.CostColumns;
import io.weir.internal.rules.rulebook.column.QuotaColumns;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.internal.rules.rulebook.column.SwitchColumns;
import io.weir.internal.rules.rulebook.column.TierUpgradeColumns;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.rules.Rule;
import io.weir.rules.history.RuleChange;
import io.weir.rules.history.RuleHistory;
import io.weir.rules.problem.RuleProblem;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The rows of {@code rule_changes}, of which each can be restored. */
public final class StoredHistory implements RuleHistory {
  private static final int MAX_CHANGES = 1_000;

  private final RuleDatabase database;
  private final VersionedRowEditor rows;
  private final Function<Rule, List<RuleProblem>> checks;
  private final Function<AccessSubject, Optional<String>> mistake;

  /**
   * Opens the history.
   *
   * @param checks finds the problems of a rule under those in force
   * @param mistake finds the rule of the application that the subject of an entry breaks
   */
  public StoredHistory(
      RuleDatabase database,
      VersionedRowEditor rows,
      Function<Rule, List<RuleProblem>> checks,
      Function<AccessSubject, Optional<String>> mistake) {
    this.database = database;
    this.rows = rows;
    this.checks = checks;
    this.mistake = mistake;
  }

  @Override
  public List<RuleChange> latest(int most) {
    return database.latestChanges(checked(most));
  }

  @Override
  public List<RuleChange> list(
      Optional<String> table,
      Optional<String> rowKey,
      Optional<Instant> from,
      Optional<Instant> until,
      long before,
      int most) {
    return database.latestChanges(
        new HistoryFilter(before, from, until, table, rowKey, checked(most)));
  }

  private static int checked(int most) {
    if (most < 1 || most > MAX_CHANGES) {
      throw new IllegalArgumentException("must be 1 to 1,000 changes, not " + most);
    }
    return most;
  }

  @Override
  public Optional<RuleChange> find(long number) {
    return database.change(number);
  }

  @Override
  public List<RuleChange> of(String table, String rowKey) {
    return database.changesOf(table, rowKey);
  }

  @Override
  public void restore(long number, String author) {
    RuleChange change =
        database
            .change(number)
            .orElseThrow(() -> new IllegalArgumentException("there is no change " + number));
    RuleTable table =
        RuleTable.named(change.table())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "rows of " + change.table() + " can't be restored"));
    Optional<StoredRow> wanted = RowHistoryReader.after(change);
    Optional<StoredRow> now = rows.find(table, change.rowKey());
    if (wanted.isEmpty()) {
      now.ifPresent(row -> rows.delete(table, row.key(), row.version(), author));
      return;
    }
    check(wanted.get());
    Map<String, String> columns = new HashMap<>(wanted.get().columns());
    columns.keySet().removeAll(StoredRow.STAMPS);
    // Columns of its own stay as they are.
    columns.keySet().retainAll(TableColumns.of(table).columns().keySet());
    if (now.isPresent()) {
      columns.remove(table.keyColumn());
      rows.replace(table, change.rowKey(), now.get().version(), columns, author);
    } else {
      rows.insert(table, columns, author);
    }
  }

  /** Throws {@link io.weir.rules.InvalidRuleException} if a row can't be used any more. */
  private void check(StoredRow row) {
    switch (row.table()) {
      case RULES -> StoredRowReader.refuse(checks.apply(RuleColumns.read(row)));
      case USERS -> UserColumns.read(row);
      case COSTS -> CostColumns.read(row);
      case SWITCHES -> SwitchColumns.read(row);
      case ENTRIES -> {
        if (BanRows.is(row)) {
          RowProblems problems = new RowProblems(row.table(), "id " + row.key());
          problems.wrong(BanRows.ACTION, "can't be restored: bans are made by Weir");
          StoredRowReader.refuse(problems.all());
        }
        AccessColumns.read(row, mistake);
      }
      case QUOTAS -> QuotaColumns.read(row);
      case GRANTS -> QuotaColumns.readGrant(row);
      case UPGRADES -> TierUpgradeColumns.read(row);
      case ANOMALIES -> {}
      case TOKENS, SESSIONS ->
          throw new IllegalArgumentException("a revoked token or session can't be restored");
    }
  }
}
