package io.weir.internal.rules.rulebook.compile;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.ClearOn;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.RulePolicyFactory;
import io.weir.internal.rules.rulebook.RulebookContext;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.internal.rules.rulebook.pattern.MethodMatcher;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.problem.RuleProblem;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes a rule ready for requests, or finds its problems. */
final class RuleCompiler {
  private static final int MAX_TIER_LENGTH = 64;

  private static final EndpointPattern EVERYTHING = EndpointPattern.parse("*");

  private final Rule rule;
  private final RulebookContext context;
  private final Function<String, EndpointPattern> patterns;
  private final RowProblems problems;

  record Result(Optional<CompiledRule> rule, List<RuleProblem> problems) {}

  private RuleCompiler(
      Rule rule, RulebookContext context, Function<String, EndpointPattern> patterns) {
    this.rule = rule;
    this.context = context;
    this.patterns = patterns;
    this.problems = RowProblems.of(rule);
  }

  static Result compile(Rule rule, RulebookContext context) {
    return compile(rule, context, EndpointPattern::parse);
  }

  /**
   * Compiles a rule.
   *
   * @param patterns as {@link EndpointPattern#parse}, which it may remember
   */
  static Result compile(
      Rule rule, RulebookContext context, Function<String, EndpointPattern> patterns) {
    RuleCompiler compiler = new RuleCompiler(rule, context, patterns);
    Optional<CompiledRule> compiled = compiler.compile();
    return new Result(compiled, compiler.problems.all());
  }

  private Optional<CompiledRule> compile() {
    checkTier();
    checkMethods();
    checkCountBy();
    checkTimes();
    checkQuota();
    boolean isForPolicy = rule.isForPolicy();
    if (!isForPolicy) {
      checkClearOn();
    }
    EndpointPattern pattern = isForPolicy ? EVERYTHING : pattern();
    String name = rule.name();
    if (rule.countBy().isEmpty()) {
      return Optional.empty();
    }
    PolicyBuilder builder =
        isForPolicy
            ? forPolicy(name)
            : RulePolicyFactory.builder(rule, QuotaRuleCheck.policy(rule, name), context.zone());
    builder.mistakes().forEach(problems::wrong);
    if (!problems.isEmpty() || pattern == null) {
      return Optional.empty();
    }
    Policy policy = builder.build();
    if (isForPolicy) {
      checkBound();
      if (rule.state() == RuleState.SHADOW) {
        checkName(name); // or it would be counted in the policy's own bucket
      }
    } else {
      checkName(name);
      context.mistakes(policy).forEach(problems::wrong);
    }
    return problems.isEmpty()
        ? Optional.of(
            new CompiledRule(
                rule,
                pattern,
                policy,
                policy.inShadow(),
                RulePolicyFactory.needsUser(rule, context)))
        : Optional.empty();
  }

  private @Nullable EndpointPattern pattern() {
    try {
      return patterns.apply(rule.pattern());
    } catch (IllegalArgumentException none) {
      problems.wrong("endpoint_pattern", "'" + rule.pattern() + "' " + none.getMessage());
      return null;
    }
  }

  private void checkTier() {
    String tier = rule.tier();
    if (tier.isBlank() || !tier.equals(tier.strip())) {
      problems.wrong("tier", "must not be blank, nor begin or end with a blank");
    } else if (tier.length() > MAX_TIER_LENGTH) {
      problems.wrong("tier", "must have at most 64 characters");
    }
  }

  private void checkMethods() {
    for (String each : rule.methods()) {
      if (!MethodMatcher.isMethod(each)) {
        problems.wrong(
            "methods", "'" + each + "' must be an HTTP method in upper case, such as GET");
      }
    }
  }

  private void checkCountBy() {
    if (rule.countBy().isEmpty() || rule.countBy().stream().anyMatch(String::isBlank)) {
      problems.wrong("count_by", "must name at least one: USER, IP, ENDPOINT or a key expression");
    } else if (new HashSet<>(rule.countBy()).size() < rule.countBy().size()) {
      problems.wrong("count_by", "must name each only once");
    } else if (rule.countBy().stream().anyMatch(each -> each.indexOf('+') >= 0)) {
      problems.wrong("count_by", "must have no + within a key expression, as it joins several");
    }
  }

  private void checkTimes() {
    if (rule.validFrom().isPresent()
        && rule.validUntil().isPresent()
        && !rule.validFrom().get().isBefore(rule.validUntil().get())) {
      problems.wrong("valid_until", "must be after valid_from");
    }
  }

  private void checkQuota() {
    if (rule.window().isQuota()) {
      QuotaRuleCheck.check(rule, context, problems);
    } else if (rule.maxRollover() != 0) {
      problems.wrong("max_rollover", "is only for rules with the period QUOTA");
    }
  }

  /** Where several kinds of requests arrive, most succeed without a password. */
  private void checkClearOn() {
    boolean isOneKind = rule.methods().size() == 1 && !rule.pattern().endsWith("*");
    if (rule.clearOn() == ClearOn.SUCCESS && !isOneKind && rule.condition().isEmpty()) {
      problems.wrong(
          "clear_on",
          "SUCCESS needs one method and a pattern without *, those of the request that checks the"
              + " password, or a condition that holds for such requests alone: others succeed"
              + " without a password, and would clear the failures");
    }
  }

  /** Checks a rule for a policy by itself; window and algorithm will be the policy's. */
  private PolicyBuilder forPolicy(String name) {
    if (rule.policyName().isEmpty()) {
      problems.wrong("endpoint_pattern", "must name a policy after policy:");
    }
    Policy likeAnyOther =
        Policy.builder("any").limit(Policy.MAX_LIMIT).window(Duration.ofMinutes(1)).build();
    if (rule.burst() < 0 || rule.burst() > Policy.MAX_LIMIT) {
      problems.wrong("burst", rule.burst() + " must be 0 to 1,000,000,000");
    }
    return RulePolicyFactory.builderOver(rule, likeAnyOther, name);
  }

  private void checkBound() {
    for (Policy each : context.boundPolicies(rule.policyName())) {
      RulePolicyFactory.builderOver(rule, each).mistakes().forEach(problems::wrong);
    }
  }

  private void checkName(String name) {
    if (!context.boundPolicies(name).isEmpty()) {
      problems.wrong(
          "name",
          "'"
              + name
              + "' is the name of an annotated policy; a rule for that has the pattern policy:"
              + name);
    }
  }
}
