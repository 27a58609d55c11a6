package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.rules.Rule;
import io.weir.rules.SwitchState;
import io.weir.rules.tier.OwnLimit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sources of an annotated policy's limit, in their order of precedence. For each caller the
 * first source that has a limit sets it. A decision stops there; an explanation asks all of them.
 */
public enum LimitSource {
  /** A switch that turns the policy off. */
  SWITCH,

  /** A limit that the application gave the caller. */
  APPLICATION,

  /** An own limit of the caller, with all else as in the rule of its tier. */
  OWN_LIMIT,

  /** The rule of the caller's tier. */
  TIER_RULE,

  /** The limit that the policy itself lists for the caller's tier. */
  TIER_OF_POLICY,

  /** The rule of {@code *}. */
  RULE_FOR_ALL,

  /** Settings and annotation, which always have a limit. */
  POLICY;

  private static final LimitSource[] IN_ORDER = values();

  /**
   * Finds the limit in force for a caller: that of the first source that has one.
   *
   * @param bound the policy as it is in force
   * @param switched the switch of the policy; null if it has none
   * @param now microseconds since the epoch
   */
  public static LimitOverride inForce(
      Policy bound,
      PolicyOverrideRules rules,
      @Nullable SwitchState switched,
      LimitedCaller caller,
      long now) {
    for (LimitSource each : IN_ORDER) {
      LimitOverride found = each.find(bound, rules, switched, caller, now);
      if (found != null) {
        return found;
      }
    }
    return LimitOverride.UNCHANGED;
  }

  /**
   * Finds the limit that this source has for a caller, whatever the others have.
   *
   * @param bound the policy as it is in force
   * @param switched the switch of the policy; null if it has none
   * @param now microseconds since the epoch
   * @return null if it has none
   */
  public @Nullable LimitOverride find(
      Policy bound,
      PolicyOverrideRules rules,
      @Nullable SwitchState switched,
      LimitedCaller caller,
      long now) {
    return switch (this) {
      case SWITCH -> switched == SwitchState.OFF ? LimitOverride.OFF : null;
      case APPLICATION -> caller.isLimitGiven() ? LimitOverride.UNCHANGED : null;
      case OWN_LIMIT -> ownLimit(bound, rules, caller, now);
      case TIER_RULE -> limit(tierRule(bound, rules, caller, now), bound);
      case TIER_OF_POLICY -> listedLimit(bound, caller);
      case RULE_FOR_ALL -> limit(rules.enforced(bound, Rule.EVERYBODY, now), bound);
      case POLICY -> LimitOverride.UNCHANGED;
    };
  }

  /** Returns the tier whose rules this source is; null if it has none. */
  public @Nullable String tierOfRules(LimitedCaller caller) {
    return switch (this) {
      case TIER_RULE -> caller.tier().equals(Rule.EVERYBODY) ? null : caller.tier();
      case RULE_FOR_ALL -> Rule.EVERYBODY;
      case SWITCH, APPLICATION, OWN_LIMIT, TIER_OF_POLICY, POLICY -> null;
    };
  }

  private static @Nullable LimitOverride ownLimit(
      Policy bound, PolicyOverrideRules rules, LimitedCaller caller, long now) {
    if (caller.own().isEmpty()) {
      return null;
    }
    PolicyOverrideRule ofTier = tierRule(bound, rules, caller, now);
    CompiledRule rule = ofTier == null ? null : ofTier.rule();
    Optional<OwnLimit> own = caller.own().forPolicy(bound.name(), rule);
    return own.isEmpty()
        ? null
        : new LimitOverride(
            ofTier == null ? bound : ofTier.over(bound).orElse(bound), own.get().limit(), true);
  }

  private static @Nullable LimitOverride listedLimit(Policy bound, LimitedCaller caller) {
    Long listed = bound.tiers().get(caller.tier());
    if (listed == null) {
      return null;
    }
    return caller.isTierGiven() // the limiter then takes the limit of the tier by itself
        ? LimitOverride.UNCHANGED
        : new LimitOverride(bound.forTier(caller.tier()), listed, false);
  }

  private static @Nullable PolicyOverrideRule tierRule(
      Policy bound, PolicyOverrideRules rules, LimitedCaller caller, long now) {
    return caller.tier().equals(Rule.EVERYBODY) ? null : rules.enforced(bound, caller.tier(), now);
  }

  private static @Nullable LimitOverride limit(@Nullable PolicyOverrideRule rule, Policy bound) {
    return rule == null
        ? null
        : new LimitOverride(rule.over(bound).orElse(bound), rule.rule().rule().limit(), true);
  }
}
