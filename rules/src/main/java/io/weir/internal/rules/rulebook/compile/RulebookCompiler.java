package io.weir.internal.rules.rulebook.compile;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.CostIndex;
import io.weir.internal.rules.rulebook.CountBy;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.problem.RuleProblem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Compiles a rulebook of rows, of which some may not be usable.
 *
 * <p>Confine to one thread.
 */
public final class RulebookCompiler {
  /**
   * An enforced rule never loses its place to one that only measures, however late that is, and one
   * of Weir's own never to one of a table that Weir didn't make.
   */
  private static final Comparator<CompiledRule> ENFORCED_THEN_CHANGED_LAST_FIRST =
      Comparator.comparing(CompiledRule::isShadow)
          .thenComparing(each -> each.rule().origin().isPresent())
          .thenComparing(
              Comparator.<CompiledRule, Instant>comparing(
                      each -> each.rule().updatedAt().orElse(Instant.MIN))
                  .thenComparing(each -> each.rule().id())
                  .reversed());

  private final RulebookInput input;
  private final KnownResults known;
  private final List<RuleProblem> problems = new ArrayList<>();
  private final List<UnusableRule> unusable = new ArrayList<>();

  private RulebookCompiler(RulebookInput input, KnownResults known) {
    this.input = input;
    this.known = known;
    unusable.addAll(input.unreadable());
  }

  /** A place that only one rule can have at a time. */
  private record Place(String tier, String name) {
    static Place of(CompiledRule rule) {
      boolean isByPattern = rule.rule().isForPolicy() && !rule.isShadow();
      return new Place(rule.rule().tier(), isByPattern ? rule.rule().pattern() : rule.name());
    }
  }

  /** Returns whether only one of two rules can be in force. */
  static boolean haveOnePlace(CompiledRule one, CompiledRule other) {
    return (Place.of(one).equals(Place.of(other)) || wouldCharge(one, other))
        && one.holdsBeside(other);
  }

  /**
   * Returns whether one of them only measures, and would charge callers of the other in its bucket.
   */
  private static boolean wouldCharge(CompiledRule one, CompiledRule other) {
    return one.isShadow() != other.isShadow()
        && one.name().equals(other.name())
        && (one.rule().tier().equals(Rule.EVERYBODY) || other.rule().tier().equals(Rule.EVERYBODY))
        && one.sharesBucket(other);
  }

  /**
   * Compiles a rulebook. A row that can't be used is left out alone, or its last good version stays
   * in force, and the row is reported.
   */
  public static CompiledRulebook compile(RulebookInput input) {
    return compile(input, new KnownResults());
  }

  /**
   * Compiles a rulebook, and of its rules only those that aren't known yet.
   *
   * @param known the results of the last rulebook; afterwards those of this one
   */
  public static CompiledRulebook compile(RulebookInput input, KnownResults known) {
    return new RulebookCompiler(input, known).compile();
  }

  private CompiledRulebook compile() {
    ApplicationSnapshot context = new ApplicationSnapshot(input.context());
    known.begin(context);
    List<CompiledRule> usable = new ArrayList<>(input.rules().size());
    for (Rule each : input.rules()) {
      usable(each).ifPresent(usable::add);
    }
    CostIndex costs = CostIndex.of(input.costs(), problems);
    List<CompiledRule> rules = onePerName(usable);
    if (context.hasKeys() && !rules.isEmpty() && rules.stream().noneMatch(this::boundsAddresses)) {
      problems.add(
          new RuleProblem(
              RuleTable.RULES.tableName(),
              "no rule of *",
              "count_by",
              "none counts by IP alone: callers that invent keys have no limit",
              true));
    }
    problems.addAll(LargeCostCheck.problems(input.costs(), rules, context));
    known.end();
    Rulebook book =
        new Rulebook(
            rules, costs, switches(), unusable, input.context(), compiler(input.context()));
    return new CompiledRulebook(book, problems);
  }

  private static Function<Rule, Optional<CompiledRule>> compiler(RulebookContext context) {
    return rule -> RuleCompiler.compile(rule, context).rule();
  }

  private boolean boundsAddresses(CompiledRule rule) {
    return rule.rule().tier().equals(Rule.EVERYBODY)
        && !rule.isShadow()
        && CountBy.of(rule.rule()).countsAddresses();
  }

  private Optional<CompiledRule> usable(Rule rule) {
    RuleCompiler.Result result = known.of(rule);
    problems.addAll(result.problems());
    Optional<CompiledRule> compiled = result.rule();
    Rule before = input.lastGood().get(rule.id());
    boolean isWithdrawn = rule.state() == RuleState.DRAFT;
    if (compiled.isEmpty() && !isWithdrawn) {
      unusable.add(UnusableRule.of(rule, result.problems()));
    }
    if (compiled.isEmpty() && !isWithdrawn && before != null && before != rule) {
      compiled = known.of(before).rule();
    }
    return compiled.filter(each -> each.rule().state() != RuleState.DRAFT);
  }

  /**
   * Selects one rule of each name and time: an enforced one if there is any, and of several the one
   * changed last.
   */
  private List<CompiledRule> onePerName(List<CompiledRule> usable) {
    Places places = new Places();
    List<CompiledRule> sorted = new ArrayList<>(usable);
    sorted.sort(ENFORCED_THEN_CHANGED_LAST_FIRST);
    List<CompiledRule> withoutPlace = new ArrayList<>(0);
    for (CompiledRule each : sorted) {
      Optional<CompiledRule> other = places.take(each);
      if (other.isPresent()) {
        List<RuleProblem> taken = taken(each, other.get());
        problems.addAll(taken);
        unusable.add(UnusableRule.of(each.rule(), taken));
        withoutPlace.add(each);
      }
    }
    // A bad row like any other. One that is enforced was replaced by a good row instead.
    withoutPlace.stream()
        .filter(CompiledRule::isShadow)
        .flatMap(each -> lastGood(each).stream())
        .forEach(places::take);
    places.all.sort(Comparator.comparingLong(each -> each.rule().id()));
    return places.all;
  }

  private static List<RuleProblem> taken(CompiledRule rule, CompiledRule other) {
    String name = RowProblems.name(other.rule());
    RowProblems row = RowProblems.of(rule.rule());
    if (rule.rule().origin().isPresent() && other.rule().origin().isEmpty()) {
      row.warn("name", "a rule of Weir's own replaces it: " + name);
      return row.all();
    }
    row.wrong(
        "name",
        rule.isShadow() && !other.isShadow()
            ? "is used by an enforced rule: "
                + name
                + "; a rule in SHADOW needs one of its own, or none"
            : "another rule, changed later, replaces it: " + name);
    return row.all();
  }

  private Optional<CompiledRule> lastGood(CompiledRule bad) {
    Rule before = input.lastGood().get(bad.rule().id());
    return before == null || before == bad.rule() ? Optional.empty() : known.of(before).rule();
  }

  private static final class Places {
    private final Map<Place, List<CompiledRule>> byPlace = new HashMap<>();
    private final Map<String, List<CompiledRule>> byName = new HashMap<>();
    private final List<CompiledRule> all = new ArrayList<>();

    /** Gives a rule its place, or returns the rule that has it. */
    Optional<CompiledRule> take(CompiledRule rule) {
      List<CompiledRule> here = list(byPlace, Place.of(rule));
      List<CompiledRule> named = list(byName, rule.name());
      for (CompiledRule each : here) {
        if (each.holdsBeside(rule)) {
          return Optional.of(each);
        }
      }
      for (CompiledRule each : named) {
        if (wouldCharge(each, rule) && each.holdsBeside(rule)) {
          return Optional.of(each);
        }
      }
      here.add(rule);
      named.add(rule);
      all.add(rule);
      return Optional.empty();
    }

    private static <K> List<CompiledRule> list(Map<K, List<CompiledRule>> map, K key) {
      return map.computeIfAbsent(key, any -> new ArrayList<>(1));
    }
  }

  private Map<String, PolicySwitch> switches() {
    Map<String, PolicySwitch> byPolicy = new HashMap<>();
    for (PolicySwitch each : input.switches()) {
      byPolicy.put(each.policy(), each);
    }
    return byPolicy;
  }
}
