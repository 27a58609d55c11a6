package io.weir.internal.rules.rulebook.column;

import io.weir.PolicyMistake;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.LineText;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.Rule;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Collects the problems of one row.
 *
 * <p>Confine to one thread.
 */
public final class RowProblems {
  /** The columns of a rule by the members of policies, where the words differ. */
  private static final Map<String, String> COLUMNS =
      Map.ofEntries(
          Map.entry("limit", "limit_count"),
          Map.entry("window", "window_seconds"),
          Map.entry("unit", "period"),
          Map.entry("when", "condition"),
          Map.entry("by", "count_by"),
          Map.entry("key", "count_by"),
          Map.entry("keys", "count_by"),
          Map.entry("count", "counts"));

  /** Longer than names of rules and tiers that Weir's own tables take. */
  private static final int MAX_VALUE = 250;

  private static final int MAX_MESSAGE = 1_000;

  private final String table;
  private final String row;
  private final List<RuleProblem> problems = new ArrayList<>();

  public RowProblems(RuleTable table, String row) {
    this.table = table.tableName();
    this.row = shown(row);
  }

  /**
   * Returns a text of a row as messages and logs have it: one line of at most {@value #MAX_VALUE}
   * characters.
   */
  public static String shown(String value) {
    return line(value, MAX_VALUE);
  }

  private static String line(String text, int most) {
    return text.length() > most ? LineText.of(text.substring(0, most)) + '…' : LineText.of(text);
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
    problems.add(new RuleProblem(table, row, field, line(rule, MAX_MESSAGE), false));
  }

  public void warn(String field, String message) {
    problems.add(new RuleProblem(table, row, field, line(message, MAX_MESSAGE), true));
  }

  public void wrong(PolicyMistake mistake) {
    String member = mistake.member();
    String sameWords = member.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    wrong(COLUMNS.getOrDefault(member, sameWords), mistake.value() + " " + mistake.rule());
  }

  public boolean isEmpty() {
    return problems.isEmpty();
  }

  /** Throws {@link InvalidRuleException} with all problems, if there are any. */
  public void refuseAny() {
    if (!problems.isEmpty()) {
      throw new InvalidRuleException(problems);
    }
  }

  public List<RuleProblem> all() {
    return List.copyOf(problems);
  }
}
