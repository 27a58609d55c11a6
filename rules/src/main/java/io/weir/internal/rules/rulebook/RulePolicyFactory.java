package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.By;
import io.weir.annotation.OnStoreFailure;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Makes policies of rules. */
public final class RulePolicyFactory {
  private RulePolicyFactory() {}

  /** Returns the policy of a rule by pattern. */
  public static PolicyBuilder builder(Rule rule, String name, String defaultZone) {
    CountBy count = CountBy.of(rule);
    PolicyBuilder policy =
        behaviour(rule, Policy.builder(name))
            .burst(rule.burst())
            .refill(rule.refill())
            .strict(rule.strict())
            .cost(rule.cost())
            .costFrom(rule.costFrom())
            .when(rule.condition())
            .count(rule.counts())
            .clearOn(rule.clearOn())
            .scope(rule.scope())
            .overshoot(rule.overshoot())
            .by(count.by().toArray(new By[0]))
            .keys(count.keys().toArray(new String[0]));
    rule.algorithm().ifPresent(policy::algorithm);
    window(policy, rule.window(), rule.zone(), defaultZone);
    return policy;
  }

  private static void window(
      PolicyBuilder policy, RuleWindow window, String zone, String defaultZone) {
    if (window.isQuota()) {
      policy.window(1, ChronoUnit.MONTHS).zone("UTC"); // until it is known whose quota it is
    } else if (window.unit().isPresent()) {
      policy.window(window.amount(), window.unit().get()).zone(zone.isEmpty() ? defaultZone : zone);
    } else {
      policy.window(window.length().orElse(Duration.ZERO)).zone(zone);
    }
  }

  /** Sets the members that come with the limit of a rule, of a pattern or of a policy. */
  private static PolicyBuilder behaviour(Rule rule, PolicyBuilder policy) {
    return policy
        .limit(rule.limit())
        .mode(rule.mode())
        .exceedBy(rule.exceedBy())
        .priority(rule.priority())
        .onStoreFailure(
            rule.onStoreFailure()
                .orElse(rule.window().isQuota() ? OnStoreFailure.CLOSED : OnStoreFailure.DEFAULT));
  }

  /**
   * Returns an annotated policy as a rule has it: with the rule's limit, burst, refill, mode,
   * priority and failure behaviour. A refill that the rule doesn't name is the policy's, in
   * proportion to the rule's limit. In shadow mode it has the rule's name.
   *
   * @return nothing if they don't fit together
   */
  static Optional<Policy> over(Rule rule, Policy bound) {
    PolicyBuilder policy = builderOver(rule, bound);
    return policy.mistakes().isEmpty() ? Optional.of(policy.build()) : Optional.empty();
  }

  public static PolicyBuilder builderOver(Rule rule, Policy bound) {
    boolean isTried = rule.state() == RuleState.SHADOW;
    return builderOver(rule, bound, isTried ? rule.name() : bound.name())
        .shadow(isTried || bound.shadow());
  }

  /** Starts the same policy under another name. */
  public static PolicyBuilder builderOver(Rule rule, Policy bound, String name) {
    BucketSpec spec = bound.spec();
    boolean hasBurst = BucketSpec.hasBurst(spec.algorithm()) && !spec.hasRefill();
    long atOnce = hasBurst && rule.burst() > 0 ? rule.burst() : rule.limit();
    boolean namesRefill = spec.hasRefill() && rule.refill() > 0;
    PolicyBuilder policy =
        behaviour(rule, Policy.builder(name))
            .algorithm(spec.algorithm())
            .burst(hasBurst ? rule.burst() : 0)
            .refill(namesRefill ? rule.refill() : bound.refillFor(rule.limit()))
            .strict(spec.strict())
            .cost(Math.min(bound.cost(), Math.max(1, atOnce)))
            .costFrom(bound.costFrom())
            .when(bound.when())
            .count(bound.count())
            .clearOn(bound.clearOn())
            .scope(bound.scope())
            .overshoot(bound.overshoot())
            .by(bound.by().toArray(new By[0]))
            .keys(bound.keys().toArray(new String[0]));
    if (spec.calendar().isPresent()) {
      policy
          .window(spec.calendar().get().amount(), spec.calendar().get().unit())
          .zone(spec.calendar().get().zone().getId());
    } else {
      policy.window(spec.window());
    }
    return policy;
  }

  /**
   * Returns whether a rule counts by user, or reads parts of a request that may depend on the user.
   */
  public static boolean needsUser(Rule rule, RulebookContext context) {
    boolean namesResolver = !rule.costFrom().isEmpty() && rule.costFrom().indexOf(':') < 0;
    return CountBy.of(rule).needsUser()
        || namesResolver
        || !rule.condition().isEmpty() && context.conditionNeedsUser(rule.condition());
  }

  /** Returns the name of a rule with another window: a written name gets the window as its end. */
  static String nameWith(Rule rule, RuleWindow window) {
    if (rule.givenName().isEmpty()) {
      return rule.toBuilder().window(window).build().name();
    }
    String end = "-" + window.inNames();
    String name = rule.name();
    return name.substring(0, Math.min(name.length(), BucketSpec.MAX_NAME - end.length())) + end;
  }
}
