package io.weir.internal.rules.rulebook.compile;

import io.weir.Policy;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.internal.rules.rulebook.column.RuleColumns;
import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.internal.value.DurationText;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.problem.RuleProblem;
import io.weir.store.BucketSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks a rule before it is saved: for problems, and for what its author should know. */
public final class RuleCheck {
  private final Rule rule;
  private final Rulebook rulebook;
  private final List<CompiledRule> others;
  private final RowProblems problems;

  private RuleCheck(Rule rule, Rulebook rulebook, List<CompiledRule> others) {
    this.rule = rule;
    this.rulebook = rulebook;
    this.others = others;
    this.problems = RowProblems.of(rule);
  }

  /**
   * Checks rules that are saved together, each against all that there will be beside it.
   *
   * @param wanted new ones, or such that replace their rows
   * @param deleted those that won't be there any more
   * @return problems and warnings of each; none if all is well
   */
  public static List<List<RuleProblem>> check(
      List<Rule> wanted, List<Rule> deleted, Rulebook rulebook) {
    Set<Long> changed =
        Stream.concat(wanted.stream(), deleted.stream())
            .map(Rule::id)
            .filter(id -> id != 0)
            .collect(Collectors.toSet());
    List<CompiledRule> staying =
        rulebook.rules().stream().filter(each -> !changed.contains(each.rule().id())).toList();
    List<RuleCompiler.Result> results =
        wanted.stream().map(each -> RuleCompiler.compile(each, rulebook.context())).toList();
    List<List<RuleProblem>> all = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      List<RuleProblem> found = new ArrayList<>(results.get(i).problems());
      if (results.get(i).rule().isPresent()) {
        CompiledRule compiled = results.get(i).rule().get();
        List<CompiledRule> others = new ArrayList<>(staying);
        for (int j = 0; j < results.size(); j++) {
          if (j != i) {
            results.get(j).rule().ifPresent(others::add);
          }
        }
        RuleCheck checks = new RuleCheck(compiled.rule(), rulebook, others);
        checks.compare(compiled);
        found.addAll(checks.problems.all());
      }
      all.add(List.copyOf(found));
    }
    return all;
  }

  private void compare(CompiledRule compiled) {
    samePlace(compiled);
    newBucket(compiled);
    if (rule.isForPolicy()) {
      boundPolicy();
    } else {
      sameName(compiled);
      broaderRules(compiled);
      ceilings(compiled);
      templates(compiled.pattern());
    }
  }

  /** Of two rules in one place only the one changed last would be in force. */
  private void samePlace(CompiledRule compiled) {
    for (CompiledRule each : others) {
      if (RulebookCompiler.haveOnePlace(each, compiled) && isOverridden(each, compiled)) {
        problems.warn("name", "takes the place of " + RowProblems.name(each.rule()));
      } else if (RulebookCompiler.haveOnePlace(each, compiled)) {
        String message =
            "conflicts with it, and only one of them can apply: " + RowProblems.name(each.rule());
        if (rule.state() == RuleState.DRAFT) {
          problems.warn("name", "another rule " + message);
        } else {
          problems.wrong("name", "another rule " + message);
        }
      }
    }
  }

  /** Returns whether a rule of a table that Weir didn't make yields to one of Weir's own. */
  private static boolean isOverridden(CompiledRule foreign, CompiledRule own) {
    return foreign.rule().origin().isPresent()
        && own.rule().origin().isEmpty()
        && (!own.isShadow() || foreign.isShadow());
  }

  /** A response has one window for each name, so a tier's rule and one of * should share it. */
  private void sameName(CompiledRule compiled) {
    for (CompiledRule each : others) {
      boolean mayMeet =
          !each.rule().isForPolicy()
              && each.name().equals(compiled.name())
              && each.rule().tier().equals(Rule.EVERYBODY) != rule.tier().equals(Rule.EVERYBODY);
      if (mayMeet && !each.policy(false).spec().equals(compiled.policy(false).spec())) {
        problems.warn(
            "name",
            "is also that of "
                + RowProblems.name(each.rule())
                + ", which counts differently: responses show both under one name");
      }
    }
  }

  private void newBucket(CompiledRule compiled) {
    Optional<CompiledRule> before =
        rulebook.rules().stream().filter(each -> each.rule().id() == rule.id()).findFirst();
    if (rule.id() == 0 || before.isEmpty() || before.get().sharesBucket(compiled)) {
      return;
    }
    List<String> changed = new ArrayList<>();
    BucketSpec was = before.get().policy(false).spec();
    BucketSpec is = compiled.policy(false).spec();
    Rule old = before.get().rule();
    add(changed, "name", was.name().equals(is.name()));
    add(changed, "algorithm", was.algorithm() == is.algorithm());
    add(
        changed,
        "window",
        was.window().equals(is.window()) && was.calendar().equals(is.calendar()));
    add(changed, "burst", was.burst() == is.burst());
    add(changed, "clear_on", was.clears() == is.clears());
    add(changed, "refill", was.hasRefill() == is.hasRefill() && was.strict() == is.strict());
    add(changed, "count_by", old.countBy().equals(rule.countBy()));
    add(changed, "per_endpoint", old.perEndpoint() == rule.perEndpoint());
    problems.warn("", "begins new buckets, so all counts start again: another " + join(changed));
  }

  private static void add(List<String> changed, String what, boolean isSame) {
    if (!isSame) {
      changed.add(what);
    }
  }

  private static String join(List<String> words) {
    return String.join(", ", words);
  }

  private void boundPolicy() {
    List<Policy> bound = rulebook.context().boundPolicies(rule.policyName());
    bound.forEach(this::notRead);
    if (bound.isEmpty()) {
      problems.warn("endpoint_pattern", "no policy " + rule.policyName() + " is known so far");
    }
  }

  /** Window, algorithm and key stay the policy's. */
  private void notRead(Policy bound) {
    BucketSpec spec = bound.spec();
    boolean sameWindow =
        rule.window().length().map(spec.window()::equals).orElse(false) && spec.calendar().isEmpty()
            || spec.calendar()
                .filter(each -> rule.window().unit().equals(Optional.of(each.unit())))
                .filter(each -> rule.window().amount() == each.amount())
                .isPresent();
    if (!sameWindow) {
      String window =
          spec.calendar().map(Object::toString).orElse(DurationText.inWords(bound.window()));
      problems.warn(
          "window_seconds", "is ignored: the window of " + bound.name() + " is " + window);
    }
    rule.algorithm()
        .filter(each -> each != bound.algorithm())
        .ifPresent(
            each ->
                problems.warn(
                    "algorithm",
                    "is ignored: " + bound.name() + " counts by " + bound.algorithm()));
    Set<String> read =
        Set.of(
            "tier",
            "endpoint_pattern",
            "limit_count",
            "window_seconds",
            "period",
            "algorithm",
            "name",
            "mode",
            "exceed_by",
            "burst",
            "priority",
            "on_store_failure",
            "state",
            "valid_from",
            "valid_until");
    for (String column : RuleColumns.write(rule).keySet()) {
      boolean isRead = read.contains(column) || column.equals("refill") && spec.hasRefill();
      if (!isRead) {
        problems.warn(column, "is ignored in a rule for a policy");
      }
    }
  }

  private void broaderRules(CompiledRule compiled) {
    for (CompiledRule each : others) {
      if (each.rule().tier().equals(rule.tier())
          && !each.rule().isForPolicy()
          && !each.pattern().equals(compiled.pattern())
          && each.pattern().covers(compiled.pattern())
          && meets(each.rule())) {
        problems.warn(
            "endpoint_pattern",
            "at its endpoints it takes the place of " + RowProblems.name(each.rule()));
      }
    }
  }

  /** A rule of everybody below a tier's is never to be used up by that tier. */
  private void ceilings(CompiledRule compiled) {
    boolean isCeiling = rule.tier().equals(Rule.EVERYBODY);
    for (CompiledRule each : others) {
      boolean isOther = each.rule().tier().equals(Rule.EVERYBODY);
      boolean overlaps =
          each.pattern().covers(compiled.pattern()) || compiled.pattern().covers(each.pattern());
      if (isOther == isCeiling || each.rule().isForPolicy() || !overlaps || !meets(each.rule())) {
        continue;
      }
      if (isCeiling && rate(compiled) < rate(each)) {
        problems.warn("limit_count", "is below " + each + ", which then can't be used up");
      } else if (isOther && rate(each) < rate(compiled)) {
        problems.warn("limit_count", "can't be used up, since all tiers have " + each);
      }
    }
  }

  private static double rate(CompiledRule rule) {
    return (double) rule.rule().limit() / rule.policy(false).spec().windowMicros();
  }

  /** Returns whether both match any one method. */
  private boolean meets(Rule other) {
    return rule.methods().isEmpty()
        || other.methods().isEmpty()
        || !Collections.disjoint(rule.methods(), other.methods());
  }

  private void templates(EndpointPattern pattern) {
    rulebook
        .templatesLike(pattern)
        .ifPresent(
            template ->
                problems.warn(
                    "endpoint_pattern",
                    "never matches where the endpoint is the template "
                        + template
                        + ", as in JAX-RS: a literal doesn't match a variable"));
  }
}
