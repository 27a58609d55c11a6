package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.internal.rules.rulebook.compile.CompiledRulebook;
import io.weir.internal.rules.rulebook.compile.KnownResults;
import io.weir.internal.rules.rulebook.compile.RulebookCompiler;
import io.weir.internal.rules.rulebook.compile.RulebookInput;
import io.weir.rules.OperationCost;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes rulebooks for tests; each rule gets an id. */
public final class Compiling implements RulebookContext {
  private final List<Rule> rules = new ArrayList<>();
  private final List<OperationCost> costs = new ArrayList<>();
  private final List<PolicySwitch> switches = new ArrayList<>();
  private final Map<Long, Rule> lastGood = new HashMap<>();
  private final List<Policy> bound = new ArrayList<>();
  private final List<PolicyMistake> mistakes = new ArrayList<>();
  private final Map<String, Long> methodCosts = new HashMap<>();
  private final Set<String> userless = new HashSet<>();
  private boolean keys;

  public static Compiling of(Rule... rules) {
    Compiling compiling = new Compiling();
    for (Rule each : rules) {
      compiling.rules.add(
          each.id() > 0 ? each : each.toBuilder().row(compiling.rules.size() + 1L, 1).build());
    }
    return compiling;
  }

  Compiling cost(String endpoint, String method, long cost) {
    costs.add(new OperationCost(costs.size() + 1L, endpoint, method, cost, 1));
    return this;
  }

  Compiling with(PolicySwitch each) {
    switches.add(each);
    return this;
  }

  Compiling lastGood(Rule rule) {
    lastGood.put(rule.id(), rule);
    return this;
  }

  public Compiling bound(Policy policy) {
    bound.add(policy);
    return this;
  }

  Compiling mistake(PolicyMistake mistake) {
    mistakes.add(mistake);
    return this;
  }

  Compiling withoutMistakes() {
    mistakes.clear();
    return this;
  }

  /** Replaces the rules, which have their ids. */
  Compiling with(List<Rule> others) {
    rules.clear();
    rules.addAll(others);
    return this;
  }

  /** Adds a condition that needs no user. */
  Compiling userless(String condition) {
    userless.add(condition);
    return this;
  }

  Compiling keys() {
    keys = true;
    return this;
  }

  Compiling cost(String method, long permits) {
    methodCosts.put(method, permits);
    return this;
  }

  CompiledRulebook compile() {
    return RulebookCompiler.compile(
        new RulebookInput(rules, costs, switches, lastGood, List.of(), this));
  }

  CompiledRulebook compile(KnownResults known) {
    return RulebookCompiler.compile(
        new RulebookInput(rules, costs, switches, lastGood, List.of(), this), known);
  }

  public Rulebook rulebook() {
    return compile().rulebook();
  }

  public List<String> problems() {
    return compile().problems().stream().map(RuleProblem::toString).toList();
  }

  @Override
  public String zone() {
    return "Europe/Berlin";
  }

  @Override
  public Collection<Policy> boundPolicies() {
    return bound;
  }

  @Override
  public List<PolicyMistake> mistakes(Policy policy) {
    return mistakes;
  }

  @Override
  public boolean conditionNeedsUser(String condition) {
    return !userless.contains(condition);
  }

  @Override
  public boolean hasKeys() {
    return keys;
  }

  @Override
  public long cost(String method) {
    return methodCosts.getOrDefault(method, 1L);
  }
}
