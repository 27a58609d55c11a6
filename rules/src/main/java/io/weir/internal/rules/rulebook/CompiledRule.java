package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.internal.rules.rulebook.pattern.MethodMatcher;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import java.time.Instant;

/**
 * A rule that is ready for requests: with its pattern read and its policies made.
 *
 * <p>Immutable.
 */
public final class CompiledRule {
  private final Rule rule;
  private final String name;
  private final String enforcedName;
  private final EndpointPattern pattern;
  private final Policy enforced;
  private final Policy shadow;
  private final boolean needsUser;
  private final long from;
  private final long until;

  public CompiledRule(
      Rule rule, EndpointPattern pattern, Policy enforced, Policy shadow, boolean needsUser) {
    this.rule = rule;
    this.name = rule.window().isQuota() ? rule.name() : enforced.name();
    this.enforcedName =
        isShadow() ? rule.toBuilder().state(RuleState.ENFORCED).build().name() : name;
    this.pattern = pattern;
    this.enforced = enforced;
    this.shadow = shadow;
    this.needsUser = needsUser;
    this.from = rule.validFrom().map(EpochMicros::of).orElse(Long.MIN_VALUE);
    this.until = rule.validUntil().map(EpochMicros::of).orElse(Long.MAX_VALUE);
  }

  public Rule rule() {
    return rule;
  }

  /**
   * Returns the rule's name, which is its policy's unless that is {@linkplain #isQuota of a quota}.
   *
   * @return {@code [A-Za-z0-9._-]{1,64}}
   */
  public String name() {
    return name;
  }

  /**
   * Returns the name of its policy, by which decisions, records and metrics know it.
   *
   * @return {@link #name}, or that of the bucket of a quota
   */
  public String policyName() {
    return enforced.name();
  }

  /** Returns the name that it has or, in shadow mode, is to have. */
  String enforcedName() {
    return enforcedName;
  }

  /** Returns the pattern that it matches; that of everything for a rule of a policy. */
  public EndpointPattern pattern() {
    return pattern;
  }

  /**
   * Returns its policy, the same object each time.
   *
   * @param inShadow whether it is only to measure
   * @return under the rule's limit; in shadow mode too if that is the rule's state
   */
  public Policy policy(boolean inShadow) {
    return inShadow || isShadow() ? shadow : enforced;
  }

  /**
   * Returns whether it counts in the caller's quota.
   *
   * @return true if its policy is to be made for the caller's {@linkplain #quota period}
   */
  public boolean isQuota() {
    return rule.window().isQuota();
  }

  /**
   * Returns the policy of a quota's period.
   *
   * @param inShadow whether it is only to measure
   * @return a new object each time, under the rule's limit
   */
  public Policy quota(Instant begin, Instant end, boolean inShadow) {
    return RulePolicyFactory.builder(rule, enforced.name(), "")
        .zone("")
        .period(begin, end)
        .shadow(inShadow || isShadow())
        .build();
  }

  public boolean isShadow() {
    return rule.state() == RuleState.SHADOW;
  }

  /**
   * Returns whether it can be decided only once the user is known: it counts by user, or asks the
   * application, which may.
   */
  public boolean needsUser() {
    return needsUser;
  }

  /**
   * Returns whether it is in force at a time.
   *
   * @param now microseconds since the epoch
   * @return true from {@code valid_from} up to {@code valid_until}
   */
  public boolean holds(long now) {
    return now >= from && now < until;
  }

  /** Returns whether both are in force at any one time. */
  public boolean holdsBeside(CompiledRule other) {
    return from < other.until && other.from < until;
  }

  /** Returns the next moment at which {@link #holds} may change; {@code Long.MAX_VALUE}: none. */
  long changesAfter(long now) {
    if (now < from) {
      return from;
    }
    return now < until ? until : Long.MAX_VALUE;
  }

  /**
   * Returns whether another rule has the same buckets: both count one caller together.
   *
   * @return true if name, window, algorithm, burst and count_by are the same, and both or neither
   *     have a refill
   */
  public boolean sharesBucket(CompiledRule other) {
    return enforced.spec().hasBucketsOf(other.enforced.spec())
        && rule.countBy().equals(other.rule.countBy())
        && rule.perEndpoint() == other.rule.perEndpoint();
  }

  /**
   * Determines whether it matches a method.
   *
   * @param method in upper case
   * @return true of {@code HEAD} where it matches {@code GET}
   */
  public boolean matchesMethod(String method) {
    return MethodMatcher.matches(rule.methods(), method);
  }

  /** Returns whether costs by endpoint and method apply to it. */
  public boolean takesCosts() {
    return rule.cost() == 1 && rule.costFrom().isEmpty() && !rule.isForPolicy();
  }

  /** Returns the most permits that a request can take under the rule's limit. */
  public long atOnce() {
    return enforced.burstFor(rule.limit());
  }

  CompiledRule as(Policy policy) {
    return new CompiledRule(rule, pattern, policy, policy, needsUser);
  }

  @Override
  public String toString() {
    return rule.toString();
  }
}
