package io.weir.internal.rules.rulebook;

import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.Rule;
import io.weir.rules.problem.RuleProblem;
import java.util.List;
import java.util.Optional;

/**
 * A row of {@code rate_limit_rules} that can't be read or used as it is now. Its last good version,
 * if there is one, stays in force.
 *
 * @param id the row's id; 0 if it has none that can be read
 * @param name the rule's name; its pattern if it has none
 * @param problem the first thing that is wrong with it
 * @param origin the row of a table that Weir didn't make; empty for one of Weir's own
 */
public record UnusableRule(
    long id, String tier, String pattern, String name, String problem, Optional<String> origin) {
  /** Describes a row of Weir's own. */
  public UnusableRule(long id, String tier, String pattern, String name, String problem) {
    this(id, tier, pattern, name, problem, Optional.empty());
  }

  /** Names the row in explanations. */
  public String source() {
    return "rule " + origin.orElse(Long.toString(id));
  }

  /**
   * Returns a row that can be read, but not used.
   *
   * @param problems at least one
   */
  public static UnusableRule of(Rule rule, List<RuleProblem> problems) {
    return new UnusableRule(
        rule.id(), rule.tier(), rule.pattern(), rule.name(), text(problems.get(0)), rule.origin());
  }

  /**
   * Returns a row, as far as it can be read.
   *
   * @param problems at least one
   */
  public static UnusableRule of(StoredRow row, List<RuleProblem> problems) {
    String pattern = row.column("endpoint_pattern").orElse("").strip();
    return new UnusableRule(
        id(row.key()),
        row.column("tier").orElse("").strip(),
        pattern,
        row.column("name").orElse(pattern),
        text(problems.get(0)),
        row.column(ForeignRows.ORIGIN));
  }

  private static long id(String key) {
    try {
      return Long.parseLong(key);
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  private static String text(RuleProblem problem) {
    return problem.field().isEmpty()
        ? problem.message()
        : problem.field() + ": " + problem.message();
  }
}
