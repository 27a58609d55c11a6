package io.weir.internal.rules.rulebook;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.rulebook.column.CostColumns;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.internal.rules.rulebook.pattern.MethodMatcher;
import io.weir.internal.rules.rulebook.pattern.PatternIndex;
import io.weir.rules.OperationCost;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the cost of a request by endpoint and method: the most specific pattern decides, and of
 * equal patterns the row that names the method.
 *
 * <p>Safe for concurrent use.
 */
public final class CostIndex {
  private static final Comparator<Entry> MOST_SPECIFIC_FIRST =
      Comparator.comparing(Entry::pattern)
          .thenComparing(each -> each.method().equals(CostColumns.ANY_METHOD));

  private final PatternIndex<Entry> index = new PatternIndex<>();
  private final Set<String> methods = new TreeSet<>();

  private record Entry(EndpointPattern pattern, String method, long cost) {}

  private record Place(EndpointPattern pattern, String method) {}

  private CostIndex() {}

  public static CostIndex of(List<OperationCost> rows, List<RuleProblem> problems) {
    CostIndex costs = new CostIndex();
    Map<Place, OperationCost> known = new HashMap<>();
    List<OperationCost> newestFirst = new ArrayList<>(rows);
    newestFirst.sort(
        Comparator.comparing((OperationCost each) -> each.origin().isPresent())
            .thenComparing(Comparator.comparingLong(OperationCost::id).reversed()));
    for (OperationCost each : newestFirst) {
      List<RuleProblem> found = CostColumns.problems(each);
      problems.addAll(found);
      if (!found.isEmpty()) {
        continue;
      }
      Place place = new Place(EndpointPattern.parse(each.endpoint()), each.method());
      OperationCost other = known.putIfAbsent(place, each);
      if (other != null) {
        problems.addAll(taken(each, other));
      } else {
        costs.index.add(place.pattern, new Entry(place.pattern, each.method(), each.cost()));
        if (!each.method().equals(CostColumns.ANY_METHOD)) {
          costs.methods.add(each.method());
        }
      }
    }
    return costs;
  }

  private static List<RuleProblem> taken(OperationCost cost, OperationCost other) {
    RowProblems row = new RowProblems(RuleTable.COSTS, CostColumns.name(cost));
    String id = other.origin().orElse("id " + other.id());
    if (cost.origin().isPresent() && other.origin().isEmpty()) {
      row.warn("endpoint", "a row of Weir's own has the same endpoint and method: " + id);
    } else {
      row.wrong("endpoint", "another row has the same endpoint and method: " + id);
    }
    return row.all();
  }

  Set<String> methods() {
    return methods;
  }

  OptionalLong find(EndpointForm form, String endpoint, String method) {
    return index.find(form, endpoint).stream()
        .filter(each -> matches(each.method(), method))
        .min(MOST_SPECIFIC_FIRST)
        .map(each -> OptionalLong.of(each.cost()))
        .orElse(OptionalLong.empty());
  }

  /** Returns whether a row may have the cost of some requests of a rule. */
  public static boolean mayMeet(OperationCost cost, CompiledRule rule) {
    if (!cost.method().equals(CostColumns.ANY_METHOD) && !rule.matchesMethod(cost.method())) {
      return false;
    }
    try {
      EndpointPattern pattern = EndpointPattern.parse(cost.endpoint());
      return pattern.covers(rule.pattern()) || rule.pattern().covers(pattern);
    } catch (IllegalArgumentException bad) {
      return false; // reported elsewhere, as a problem of the row
    }
  }

  private static boolean matches(String of, String method) {
    return of.equals(CostColumns.ANY_METHOD) || MethodMatcher.matches(of, method);
  }
}
