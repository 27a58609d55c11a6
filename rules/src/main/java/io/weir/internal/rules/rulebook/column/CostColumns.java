package io.weir.internal.rules.rulebook.column;

import io.weir.Policy;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.internal.rules.rulebook.pattern.MethodMatcher;
import io.weir.rules.OperationCost;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads rows of {@code operation_costs} as {@link OperationCost}s, and writes them. */
public final class CostColumns {
  /** All columns that say something, without key and version. */
  public static final List<String> NAMES = List.of("endpoint", "method", "cost");

  /** The {@code method} of rows that are for all methods. */
  public static final String ANY_METHOD = "*";

  private CostColumns() {}

  /**
   * Reads a row.
   *
   * @throws InvalidRuleException if it can't be used; the message names all that is wrong
   */
  public static OperationCost read(StoredRow row) {
    RowProblems problems = new RowProblems(RuleTable.COSTS, RowProblems.id(row));
    ColumnReader columns = new ColumnReader(row, problems);
    OperationCost cost =
        new OperationCost(
            columns.id(),
            columns.required("endpoint"),
            columns.required("method").toUpperCase(Locale.ROOT),
            columns.number("cost", 1, Policy.MAX_LIMIT).orElse(0L),
            row.version(),
            row.column(ForeignRows.ORIGIN));
    columns.required("cost");
    if (problems.isEmpty()) {
      problems(cost).forEach(each -> problems.wrong(each.field(), each.message()));
    }
    problems.refuseAny();
    return cost;
  }

  /** Returns what is wrong with a row; nothing if it can be used. */
  public static List<RuleProblem> problems(OperationCost cost) {
    RowProblems problems = new RowProblems(RuleTable.COSTS, name(cost));
    try {
      EndpointPattern.parse(cost.endpoint());
    } catch (IllegalArgumentException none) {
      problems.wrong("endpoint", "'" + cost.endpoint() + "' " + none.getMessage());
    }
    if (!cost.method().equals(ANY_METHOD) && !MethodMatcher.isMethod(cost.method())) {
      problems.wrong(
          "method", "'" + cost.method() + "' must be an HTTP method in upper case, or *");
    }
    if (cost.cost() < 1 || cost.cost() > Policy.MAX_LIMIT) {
      problems.wrong("cost", cost.cost() + " must be 1 to 1,000,000,000");
    }
    return problems.all();
  }

  public static String name(OperationCost cost) {
    String name = cost.method() + " " + cost.endpoint();
    return cost.id() > 0 ? name + " (" + cost.origin().orElse("id " + cost.id()) + ")" : name;
  }

  /** Returns the columns of a row, without key, version and times. */
  public static Map<String, String> write(OperationCost cost) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("endpoint", cost.endpoint());
    columns.put("method", cost.method());
    columns.put("cost", Long.toString(cost.cost()));
    return columns;
  }
}
