package io.weir.internal.rules.rulebook;

import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleProblem;
import io.weir.rules.RuleState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles a rulebook of rows, of which some may not be usable.
 *
 * <p>Confine to one thread.
 */
final class RulebookCompiler {
  private static final Comparator<CompiledRule> CHANGED_LAST_FIRST =
      Comparator.<CompiledRule, Instant>comparing(
              each -> each.rule().updatedAt().orElse(Instant.MIN))
          .thenComparing(each -> each.rule().id())
          .reversed();

  private final RulebookInput input;
  private final List<RuleProblem> problems = new ArrayList<>();

  RulebookCompiler(RulebookInput input) {
    this.input = input;
  }

  /** What there is only one of at a time. */
  private record Place(String tier, String name) {
    static Place of(CompiledRule rule) {
      boolean isByPattern = rule.rule().isForPolicy() && !rule.isShadow();
      return new Place(rule.rule().tier(), isByPattern ? rule.rule().pattern() : rule.name());
    }
  }

  /** Whether only one of two rules can hold. */
  static boolean haveOnePlace(CompiledRule one, CompiledRule other) {
    return Place.of(one).equals(Place.of(other)) && one.holdsBeside(other);
  }

  Rulebook.Compiled compile() {
    RulebookContext context = new ContextOfNow(input.context());
    List<CompiledRule> usable = new ArrayList<>(input.rules().size());
    for (Rule each : input.rules()) {
      usable(each, context).ifPresent(usable::add);
    }
    CostIndex costs = CostIndex.of(input.costs(), problems);
    List<CompiledRule> rules = onePerName(usable);
    if (context.hasKeys() && !rules.isEmpty() && rules.stream().noneMatch(this::boundsAddresses)) {
      problems.add(
          new RuleProblem(
              RuleTable.RULES.tableName(),
              "no rule of *",
              "count_by",
              "none counts by IP alone: who invents keys has no limit",
              true));
    }
    problems.addAll(LargeCosts.problems(input.costs(), rules, context));
    return new Rulebook.Compiled(new Rulebook(rules, costs, switches(), input.context()), problems);
  }

  private boolean boundsAddresses(CompiledRule rule) {
    return rule.rule().tier().equals(Rule.EVERYBODY)
        && !rule.isShadow()
        && CountBy.of(rule.rule()).countsAddresses();
  }

  private Optional<CompiledRule> usable(Rule rule, RulebookContext context) {
    RuleCompiler.Result result = RuleCompiler.compile(rule, context);
    problems.addAll(result.problems());
    Optional<CompiledRule> compiled = result.rule();
    Rule before = input.lastGood().get(rule.id());
    boolean isWithdrawn = rule.state() == RuleState.DRAFT;
    if (compiled.isEmpty() && !isWithdrawn && before != null && before != rule) {
      compiled = RuleCompiler.compile(before, context).rule();
    }
    return compiled.filter(each -> each.rule().state() != RuleState.DRAFT);
  }

  /** Of several rules that would hold at one time under one name the one changed last. */
  private List<CompiledRule> onePerName(List<CompiledRule> usable) {
    Map<Place, List<CompiledRule>> kept = new HashMap<>();
    List<CompiledRule> sorted = new ArrayList<>(usable);
    sorted.sort(CHANGED_LAST_FIRST);
    List<CompiledRule> all = new ArrayList<>(usable.size());
    for (CompiledRule each : sorted) {
      List<CompiledRule> others = kept.computeIfAbsent(Place.of(each), any -> new ArrayList<>(1));
      Optional<CompiledRule> later = others.stream().filter(each::holdsBeside).findFirst();
      if (later.isPresent()) {
        RowProblems row = RowProblems.of(each.rule());
        row.wrong(
            "name",
            "another rule, changed later, has its place: " + RowProblems.name(later.get().rule()));
        problems.addAll(row.all());
      } else {
        others.add(each);
        all.add(each);
      }
    }
    all.sort(Comparator.comparingLong(each -> each.rule().id()));
    return all;
  }

  private Map<String, PolicySwitch> switches() {
    Map<String, PolicySwitch> byPolicy = new HashMap<>();
    for (PolicySwitch each : input.switches()) {
      byPolicy.put(each.policy(), each);
    }
    return byPolicy;
  }
}
