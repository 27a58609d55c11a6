package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.internal.rules.rulebook.AppliedRule;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.LimitOverride;
import io.weir.internal.rules.rulebook.LimitSource;
import io.weir.internal.rules.rulebook.LimitedCaller;
import io.weir.internal.rules.rulebook.PolicyOverrideRule;
import io.weir.internal.rules.rulebook.PolicyOverrideRules;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.internal.rules.rulebook.WindowText;
import io.weir.rules.Rule;
import io.weir.rules.SwitchState;
import io.weir.rules.explanation.Explanation.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains which limit of an annotated policy is in force, and why the others aren't: asks every
 * {@link LimitSource}, of which a decision takes the first that has a limit.
 */
final class LimitExplainer {
  private static final String OFF = "it is switched off";

  private final List<Part> parts;
  private final Policy policy;
  private final EvaluationContext asked;
  private final LimitedCaller caller;
  private final boolean isLimitSet;
  private final PolicyOverrideRules rules;
  private final @Nullable SwitchState switched;
  private final @Nullable AppliedRule tried;
  private final String window;
  private String winner = "";

  private LimitExplainer(
      List<Part> parts,
      Policy policy,
      EvaluationContext asked,
      LimitedCaller caller,
      boolean isLimitSet) {
    this.parts = parts;
    this.policy = policy;
    this.asked = asked;
    this.caller = caller;
    this.isLimitSet = isLimitSet;
    this.rules = asked.book().forPolicy(policy.name());
    this.switched = asked.switchOf(policy.name());
    this.tried = DeclaredPolicyOverrides.tried(policy, rules, switched, asked, caller);
    this.window = WindowText.of(policy.spec());
  }

  /**
   * Adds all limits that a policy has for a caller, the one in force first.
   *
   * @param isLimitSet whether settings, and not the annotation, have the policy's own limit
   */
  static void addTo(
      List<Part> parts,
      Policy policy,
      EvaluationContext asked,
      LimitedCaller caller,
      boolean isLimitSet) {
    new LimitExplainer(parts, policy, asked, caller, isLimitSet).add();
  }

  private void add() {
    for (LimitSource source : LimitSource.values()) {
      String tier = source.tierOfRules(caller);
      if (tier == null) {
        LimitOverride limit = source.find(policy, rules, switched, caller, asked.now());
        if (limit != null) {
          add(limit, name(source), reason(source));
        }
      } else {
        addRules(source, tier);
      }
    }
    if (switched == SwitchState.SHADOW) {
      parts.add(new Part(policy.name(), true, 0, window, "switch", "it only measures"));
    }
  }

  private void addRules(LimitSource source, String tier) {
    for (PolicyOverrideRule each : rules.of(tier)) {
      CompiledRule rule = each.rule();
      String name = RuleDescriber.source(rule);
      String whyNot = each.whyNot(policy, asked.now());
      if (rule.isShadow()) {
        addTrial(rule, name, whyNot);
      } else if (whyNot == null) {
        LimitOverride limit = source.find(policy, rules, switched, caller, asked.now());
        if (limit != null) {
          String reason = "the rule of tier " + tier + " for this policy";
          add(limit, name, reason + RuleDescriber.note(asked.book(), rule));
        }
      } else {
        parts.add(new Part(policy.name(), false, 0, window, name, whyNot));
      }
    }
    for (UnusableRule each : RuleDescriber.leftOut(asked.book(), asked.book().unusable(), tier)) {
      if (each.tier().equals(tier) && each.pattern().equals(Rule.POLICY + policy.name())) {
        parts.add(RuleDescriber.part(each, policy.name(), window));
      }
    }
  }

  private void addTrial(CompiledRule rule, String source, @Nullable String whyNot) {
    boolean isTried = tried != null && tried.rule().rule().id() == rule.rule().id();
    String reason = "in the state SHADOW it only measures, beside the enforced limit";
    if (whyNot != null) {
      reason = whyNot;
    } else if (!isTried) {
      reason =
          switched == SwitchState.OFF || tried == null
              ? OFF
              : "another rule in SHADOW is measured instead";
    }
    long limit = rule.rule().limit();
    parts.add(new Part(rule.name(), isTried, isTried ? limit : 0, window, source, reason));
  }

  /** Adds a limit: the first one is in force, all others aren't. */
  private void add(LimitOverride limit, String name, String reason) {
    boolean isFirst = winner.isEmpty();
    if (isFirst) {
      winner = limit == LimitOverride.OFF ? OFF : "overridden by " + name;
    }
    if (isFirst && limit != LimitOverride.OFF) {
      String why =
          DeclaredPolicyOverrides.isMeasured(limit, caller)
              ? reason + "; it only measures, since the caller is under evaluation"
              : reason;
      long permits = permits(limit);
      Policy decides = limit.policy() == null ? policy.forTier(caller.tier()) : limit.policy();
      String details = RuleDescriber.details(decides, permits);
      parts.add(new Part(policy.name(), true, permits, window, name, why + details));
    } else {
      parts.add(new Part(policy.name(), false, 0, window, name, winner));
    }
  }

  private long permits(LimitOverride limit) {
    if (limit.policy() != null) {
      return limit.limit();
    }
    return caller.isLimitGiven()
        ? policy.limit()
        : policy.tiers().getOrDefault(caller.tier(), policy.limit());
  }

  private String name(LimitSource source) {
    return switch (source) {
      case SWITCH -> "switch";
      case APPLICATION -> "application";
      case OWN_LIMIT -> "own limit";
      case POLICY -> isLimitSet ? "settings" : "annotation";
      case TIER_OF_POLICY, TIER_RULE, RULE_FOR_ALL -> "annotation";
    };
  }

  private String reason(LimitSource source) {
    return switch (source) {
      case SWITCH -> OFF;
      case APPLICATION -> "the application gave the caller a limit";
      case OWN_LIMIT -> "the caller's own limit overrides all others";
      case TIER_OF_POLICY -> "the policy lists the tier " + caller.tier() + " itself";
      case POLICY, TIER_RULE, RULE_FOR_ALL -> "nothing overrides it";
    };
  }
}
