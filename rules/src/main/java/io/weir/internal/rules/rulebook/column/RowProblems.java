package io.weir.internal.rules.rulebook.column;

import io.weir.PolicyMistake;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.Rule;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Collects the problems of one row.
 *
 * <p>Confine to one thread.
 */
public final class RowProblems {
  /** The columns of a rule by the members of policies, where the names differ. */
  private static final Map<String, String> COLUMNS =
      Map.ofEntries(
          Map.entry("limit", "limit_count"),
          Map.entry("window", "window_seconds"),
          Map.entry("unit", "period"),
          Map.entry("exceedBy", "exceed_by"),
          Map.entry("costFrom", "cost_from"),
          Map.entry("when", "condition"),
          Map.entry("by", "count_by"),
          Map.entry("key", "count_by"),
          Map.entry("keys", "count_by"),
          Map.entry("count", "counts"),
          Map.entry("onStoreFailure", "on_store_failure"));

  private final String table;
  private final String row;
  private final List<RuleProblem> problems = new ArrayList<>();

  public RowProblems(RuleTable table, String row) {
    this.table = table.tableName();
    this.row = row;
  }

  public static RowProblems of(Rule rule) {
    return new RowProblems(RuleTable.RULES, name(rule));
  }

  /** Names a rule in messages. */
  public static String name(Rule rule) {
    String name = rule.name() + " of " + rule.tier();
    return rule.id() > 0 ? name + " (" + rule.origin().orElse("id " + rule.id()) + ")" : name;
  }

  /** Names the id of a row in messages; that of a foreign row with its table. */
  static String id(StoredRow row) {
    return row.column(ForeignRows.ORIGIN).orElse("id " + row.key());
  }

  public void wrong(String field, String rule) {
    problems.add(new RuleProblem(table, row, field, rule, false));
  }

  public void warn(String field, String message) {
    problems.add(new RuleProblem(table, row, field, message, true));
  }

  public void wrong(PolicyMistake mistake) {
    String field = COLUMNS.getOrDefault(mistake.member(), mistake.member());
    wrong(field, mistake.value() + " " + mistake.rule());
  }

  public boolean isEmpty() {
    return problems.isEmpty();
  }

  public List<RuleProblem> all() {
    return List.copyOf(problems);
  }
}
