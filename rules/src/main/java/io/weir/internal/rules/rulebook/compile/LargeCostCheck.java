package io.weir.internal.rules.rulebook.compile;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.CostIndex;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.column.CostColumns;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.rules.OperationCost;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Warns of costs above the permits that a rule has at once, to which they are then cut. */
final class LargeCostCheck {
  private static final Set<String> METHODS =
      Set.of("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT");

  private final List<CompiledRule> rules;
  private final List<RuleProblem> problems = new ArrayList<>();

  private LargeCostCheck(List<CompiledRule> rules) {
    this.rules = rules;
  }

  static List<RuleProblem> problems(
      List<OperationCost> rows, List<CompiledRule> rules, RulebookContext context) {
    LargeCostCheck costs =
        new LargeCostCheck(rules.stream().filter(CompiledRule::takesCosts).toList());
    costs.ofRows(rows);
    costs.ofMethods(context);
    return costs.problems;
  }

  private void ofRows(List<OperationCost> rows) {
    long largest = rows.stream().mapToLong(OperationCost::cost).max().orElse(0);
    if (smallest(rule -> rule.atOnce() < largest).isEmpty()) {
      return;
    }
    for (OperationCost each : rows) {
      smallest(rule -> rule.atOnce() < each.cost() && CostIndex.mayMeet(each, rule))
          .ifPresent(
              rule -> warn(RuleTable.COSTS.tableName(), CostColumns.name(each), each.cost(), rule));
    }
  }

  /** Most methods have the usual cost, and need one comparison. */
  private void ofMethods(RulebookContext context) {
    Set<String> methods = new TreeSet<>(METHODS);
    rules.forEach(rule -> methods.addAll(rule.rule().methods()));
    for (String method : methods) {
      long cost = context.cost(method);
      if (cost > 1) {
        smallest(rule -> rule.atOnce() < cost && rule.matchesMethod(method))
            .ifPresent(rule -> warn("weir.cost." + method, "setting", cost, rule));
      }
    }
  }

  private Optional<CompiledRule> smallest(Predicate<CompiledRule> which) {
    return rules.stream().filter(which).min(Comparator.comparingLong(CompiledRule::atOnce));
  }

  private void warn(String table, String row, long cost, CompiledRule rule) {
    String message =
        cost
            + " is more than the "
            + rule.atOnce()
            + " permits at once of "
            + RowProblems.name(rule.rule())
            + ", so requests cost that many";
    problems.add(new RuleProblem(table, row, "cost", message, true));
  }
}
