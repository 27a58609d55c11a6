package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.internal.rules.rulebook.AppliedRule;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.rules.SwitchState;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The rules in force at an endpoint for all callers of a tier, as policies: made once, and passed
 * as they are to callers that need no key of their own.
 *
 * <p>Immutable.
 */
final class TierPolicies {
  private final List<AppliedRule> rules;
  private final List<AppliedPolicy> policies;
  private final boolean hasNameTwice;

  /** The kinds of callers that need no key of their own. */
  private final Set<RequestCaller.Kind> withoutKey;

  private final CompletableFuture<AppliedPolicies> answer;

  /** Makes policies of rules that count in the caller's quota. */
  @FunctionalInterface
  interface Quotas {
    AppliedPolicy apply(AppliedRule rule, boolean inShadow);
  }

  /**
   * Makes policies of rules.
   *
   * @param cost the cost of a request by endpoint and method
   */
  TierPolicies(List<AppliedRule> rules, long cost, CostCap warnings) {
    this.rules = rules;
    List<AppliedPolicy> all = new ArrayList<>(rules.size());
    Set<String> names = new HashSet<>();
    for (AppliedRule each : rules) {
      all.add(applied(each, cost, warnings));
      names.add(each.rule().name());
    }
    this.policies = List.copyOf(all);
    this.hasNameTwice = names.size() < rules.size();
    this.withoutKey = withoutKey(rules, hasNameTwice);
    this.answer = CompletableFuture.completedFuture(AppliedPolicies.of(policies));
  }

  private static Set<RequestCaller.Kind> withoutKey(List<AppliedRule> rules, boolean hasNameTwice) {
    Set<RequestCaller.Kind> kinds = EnumSet.allOf(RequestCaller.Kind.class);
    for (AppliedRule each : rules) {
      if (hasNameTwice || each.rule().isQuota()) {
        kinds.clear();
      }
      kinds.removeIf(kind -> !RequestKeys.isPlain(each.rule().rule(), kind));
    }
    return kinds;
  }

  private static AppliedPolicy applied(AppliedRule rule, long cost, CostCap warnings) {
    Policy policy = rule.policy(false);
    AppliedPolicy applied = AppliedPolicy.of(policy);
    if (rule.limit() != policy.limit()) {
      applied = applied.withLimit(rule.limit());
    }
    if (!policy.costFrom().isEmpty()) {
      return applied;
    }
    long permits = rule.permits(cost);
    if (permits < cost && policy.cost() == 1) {
      permits = warnings.cut(policy.name(), cost, permits);
    }
    return applied.withPermits(permits);
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  /** Returns the answer for all callers of a kind; null if keys have to be read. */
  @Nullable CompletableFuture<AppliedPolicies> answerFor(RequestCaller.Kind caller) {
    return withoutKey.contains(caller) ? answer : null;
  }

  /**
   * Adds the policies for one caller.
   *
   * @param isEvaluated whether they only measure
   * @param now microseconds since the epoch
   * @param quotas makes policies of those that count in the caller's quota
   */
  void addTo(
      List<AppliedPolicy> all,
      RequestCaller.Kind kind,
      boolean isEvaluated,
      Rulebook book,
      long now,
      RequestKeys keys,
      Quotas quotas) {
    int first = all.size();
    for (int at = 0; at < rules.size(); at++) {
      AppliedRule rule = rules.get(at);
      SwitchState switched =
          book.hasSwitches() ? book.switchOf(rule.rule().name(), now).orElse(null) : null;
      if (switched == SwitchState.OFF) {
        continue;
      }
      if (rule.rule().isQuota()) {
        all.add(quotas.apply(rule, isEvaluated || switched == SwitchState.SHADOW));
        continue;
      }
      AppliedPolicy applied = policies.get(at);
      if (isEvaluated || switched == SwitchState.SHADOW) {
        applied = applied.withPolicy(rule.policy(true));
      }
      if (hasNameTwice || !RequestKeys.isPlain(rule.rule().rule(), kind)) {
        applied = applied.withKey(keys.of(rule.rule().rule()));
      }
      if (!hasNameTwice || !joins(all, first, applied)) {
        all.add(applied);
      }
    }
  }

  /** Joins policies of one bucket, which is asked once. */
  private static boolean joins(List<AppliedPolicy> all, int first, AppliedPolicy applied) {
    for (int at = first; at < all.size(); at++) {
      AppliedPolicy other = all.get(at);
      if (haveOneBucket(other, applied)) {
        all.set(at, together(other, applied));
        return true;
      }
    }
    return false;
  }

  private static boolean haveOneBucket(AppliedPolicy one, AppliedPolicy other) {
    return one.key().isPresent()
        && one.key().equals(other.key())
        && one.policy().spec().hasBucketsOf(other.policy().spec());
  }

  /**
   * Takes the larger cost and the lower limit; an enforced policy replaces one that only measures.
   */
  private static AppliedPolicy together(AppliedPolicy one, AppliedPolicy other) {
    if (one.policy().shadow() != other.policy().shadow()) {
      return one.policy().shadow() ? other : one;
    }
    AppliedPolicy lower = other.limit() < one.limit() ? other : one;
    return lower.isCostGiven()
        ? lower.withPermits(Math.max(one.permits(), other.permits()))
        : lower;
  }
}
