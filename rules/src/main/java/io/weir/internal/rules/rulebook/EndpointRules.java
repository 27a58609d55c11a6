package io.weir.internal.rules.rulebook;

import io.weir.rules.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rules of all tiers that match one endpoint and method, ready for the requests of any caller.
 *
 * <p>The rules in force are computed once for each tier, and again when a rule begins or ends. Safe
 * for concurrent use.
 */
public final class EndpointRules {
  /** No rule matches, and no cost. */
  public static final EndpointRules NONE = new EndpointRules(List.of(), OptionalLong.empty(), null);

  private final List<CompiledRule> rules;
  private final OptionalLong cost;
  private final @Nullable OwnLimitRules ownRules;
  private final MatchedTierRules everybody;
  private final List<MatchedTierRules> tiers;
  private final Map<String, Slot> slots;
  private final Slot otherTiers;
  private final boolean hasQuota;
  private final boolean hasEarly;
  private volatile Resolution early = Resolution.NEVER;
  private volatile @Nullable String pattern;

  /** The rules in force from one moment to another. */
  private record Resolution(List<AppliedRule> rules, long from, long until) {
    static final Resolution NEVER = new Resolution(List.of(), 0, 0);

    boolean holds(long now) {
      return now >= from && now < until;
    }
  }

  /** The rules in force for callers of a tier without own limits. */
  private static final class Slot {
    final MatchedTierRules rules;
    volatile Resolution resolution = Resolution.NEVER;

    Slot(MatchedTierRules rules) {
      this.rules = rules;
    }
  }

  EndpointRules(List<CompiledRule> rules, OptionalLong cost, @Nullable OwnLimitRules ownRules) {
    this.rules = List.copyOf(rules);
    this.cost = cost;
    this.hasQuota = rules.stream().anyMatch(CompiledRule::isQuota);
    this.ownRules = ownRules;
    Map<String, List<CompiledRule>> byTier = new HashMap<>();
    rules.forEach(
        each -> byTier.computeIfAbsent(each.rule().tier(), any -> new ArrayList<>()).add(each));
    List<CompiledRule> ofAll = byTier.remove(Rule.EVERYBODY);
    this.everybody = ofAll == null ? MatchedTierRules.NONE : MatchedTierRules.of(ofAll);
    Map<String, Slot> found = new HashMap<>();
    byTier.forEach((tier, matching) -> found.put(tier, new Slot(MatchedTierRules.of(matching))));
    this.slots = Map.copyOf(found);
    this.tiers = found.values().stream().map(each -> each.rules).toList();
    this.otherTiers = new Slot(MatchedTierRules.NONE);
    this.hasEarly = ofAll != null && ofAll.stream().anyMatch(this::isEarly);
  }

  /** Returns whether no rule of any tier matches. */
  public boolean isEmpty() {
    return rules.isEmpty();
  }

  /** Returns all that match, of all tiers, in force or not yet. */
  public List<CompiledRule> rules() {
    return rules;
  }

  /** Returns whether any of them counts in the caller's quota. */
  public boolean hasQuota() {
    return hasQuota;
  }

  /**
   * Returns the cost of a request by the most specific row of {@code operation_costs}.
   *
   * @return permits, 1 and more; nothing if no row matches
   */
  public OptionalLong cost() {
    return cost;
  }

  /** Returns whether any rule is ever decided before authentication, whatever the time is. */
  public boolean hasEarly() {
    return hasEarly;
  }

  /**
   * Returns the rules to be decided before authentication: those of everybody that need no user,
   * except for one whose bucket a rule of a tier may share, since that must be asked once.
   *
   * @param now microseconds since the epoch
   * @return the same list each time until a rule begins or ends
   */
  public List<AppliedRule> before(long now) {
    Resolution known = early;
    if (!known.holds(now)) {
      List<AppliedRule> all = new ArrayList<>();
      for (CompiledRule each : everybody.kept(now)) {
        if (isEarly(each)) {
          all.add(AppliedRule.of(each));
        }
      }
      known = new Resolution(together(all), now, everybody.changesAfter(now));
      early = known;
    }
    return known.rules;
  }

  /**
   * Returns the rules to be decided after authentication: those of the caller's tier, and those of
   * everybody that aren't decided before.
   *
   * @param now microseconds since the epoch
   * @return for a caller without own limits the same list until a rule begins or ends; no bucket
   *     twice
   */
  public List<AppliedRule> after(String tier, OwnLimits own, long now) {
    Slot slot = slots.getOrDefault(tier, otherTiers);
    if (!own.isEmpty() && slot != otherTiers) {
      return together(late(slot.rules, tier, own, now));
    }
    Resolution known = slot.resolution;
    if (!known.holds(now)) {
      long until = Math.min(slot.rules.changesAfter(now), everybody.changesAfter(now));
      known = new Resolution(together(late(slot.rules, tier, OwnLimits.NONE, now)), now, until);
      slot.resolution = known;
    }
    return known.rules;
  }

  private List<AppliedRule> late(MatchedTierRules ofTier, String tier, OwnLimits own, long now) {
    List<AppliedRule> all = new ArrayList<>();
    List<CompiledRule> kept = ofTier.kept(now);
    if (own.isEmpty() || ownRules == null) {
      kept.forEach(each -> all.add(AppliedRule.of(each)));
    } else {
      ownRules.apply(tier, kept, own, all);
    }
    for (CompiledRule each : everybody.kept(now)) {
      if (!isEarly(each)) {
        all.add(AppliedRule.of(each));
      }
    }
    return all;
  }

  private boolean isEarly(CompiledRule ofEverybody) {
    return !ofEverybody.needsUser()
        && tiers.stream().noneMatch(each -> each.hasName(ofEverybody.name()));
  }

  /** No bucket twice. */
  private static List<AppliedRule> together(List<AppliedRule> all) {
    for (int at = 0; at < all.size(); at++) {
      for (int next = all.size() - 1; next > at; next--) {
        if (all.get(at).rule().sharesBucket(all.get(next).rule())) {
          all.set(at, all.get(at).together(all.remove(next)));
        }
      }
    }
    return List.copyOf(all);
  }

  /**
   * Returns the most specific pattern of any rule that matches: the endpoint's name where it has no
   * template, so that no path becomes a key.
   *
   * @return as patterns are written, with {@code {}} for variables; empty if no rule matches
   */
  public String pattern() {
    String known = pattern;
    if (known == null) {
      known =
          rules.stream()
              .map(CompiledRule::pattern)
              .min(Comparator.naturalOrder())
              .map(Object::toString)
              .orElse("");
      pattern = known;
    }
    return known;
  }
}
