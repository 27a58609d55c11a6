package io.weir.internal.control.admin.policies;

import io.weir.Policy;
import io.weir.internal.control.resource.Described;
import io.weir.internal.rules.rulebook.WindowText;
import io.weir.rules.PolicyInForce;
import io.weir.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy in force. */
record PolicyDocument(
    String name,
    @Described("application for annotations and settings, or the rule's id, as in rule 17")
        String source,
    @Described("The rule's tier") @Nullable String tier,
    @Described("The rule's pattern") @Nullable String endpointPattern,
    @Described("Permits per window, for tiers without a limit of their own") long limit,
    String window,
    String algorithm,
    String mode,
    List<String> countBy,
    @Described("ENFORCED, or SHADOW if it only measures") String state,
    @Described("OFF or SHADOW while a switch is set; else null") @Nullable String switched,
    @Described("The limits of tiers, for annotated policies; the first of a tier wins")
        List<TierLimit> limits) {

  record TierLimit(String tier, long limit, String source) {}

  static PolicyDocument of(PolicyInForce policy, List<PolicyInForce> all) {
    Policy what = policy.policy();
    Rule rule = policy.rule().orElse(null);
    return new PolicyDocument(
        rule == null ? what.name() : rule.name(),
        rule == null ? "application" : source(rule),
        rule == null ? null : rule.tier(),
        rule == null ? null : rule.pattern(),
        rule == null ? what.limit() : rule.limit(),
        rule == null ? WindowText.of(what.spec()) : rule.window().toString(),
        what.algorithm().name(),
        what.mode().name(),
        rule == null ? countBy(what) : rule.countBy(),
        what.shadow() ? "SHADOW" : "ENFORCED",
        policy.switched().map(Enum::name).orElse(null),
        rule == null ? limits(what, all) : List.of());
  }

  private static String source(Rule rule) {
    return "rule " + rule.id();
  }

  private static List<String> countBy(Policy policy) {
    List<String> all = new ArrayList<>();
    policy.by().forEach(each -> all.add(each.name()));
    all.addAll(policy.keys());
    return all;
  }

  /** In the order of LimitSource: rules of tiers, the policy's own tiers, the rule of all. */
  private static List<TierLimit> limits(Policy policy, List<PolicyInForce> all) {
    List<TierLimit> limits = new ArrayList<>();
    List<TierLimit> ofAll = new ArrayList<>();
    for (PolicyInForce each : all) {
      Rule rule = each.rule().orElse(null);
      if (rule != null && rule.policyName().equals(policy.name()) && !each.policy().shadow()) {
        boolean isOfAll = rule.tier().equals(Rule.EVERYBODY);
        (isOfAll ? ofAll : limits).add(new TierLimit(rule.tier(), rule.limit(), source(rule)));
      }
    }
    policy.tiers().forEach((tier, limit) -> limits.add(new TierLimit(tier, limit, "application")));
    limits.addAll(ofAll);
    return List.copyOf(limits);
  }
}
