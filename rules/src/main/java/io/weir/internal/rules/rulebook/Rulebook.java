package io.weir.internal.rules.rulebook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.weir.Policy;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.internal.rules.rulebook.pattern.PatternIndex;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.SwitchState;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.UserTier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All rules, costs and switches, compiled for requests. Replaced whole when any of them changes.
 *
 * <p>The rules of an endpoint are found without looking at all rules, and cached for the endpoints
 * that are requested most; invented paths don't fill the memory. Safe for concurrent use.
 */
public final class Rulebook {
  /** The most endpoints that are cached for each method that rules name. */
  private static final int MAX_ENDPOINTS = 10_000;

  private final List<CompiledRule> rules;
  private final PatternIndex<CompiledRule> index = new PatternIndex<>();
  private final Map<String, PolicyOverrideRules> byPolicy;
  private final CostIndex costs;
  private final Map<String, PolicySwitch> switches;
  private final OwnLimitRules ownRules;
  private final RulebookContext context;
  private final boolean hasQuotas;
  private final List<UnusableRule> unusable;
  private final Set<String> tiers = new HashSet<>();

  private final Map<String, MatchedRulesCache> matched = new HashMap<>();
  private final MatchedRulesCache matchedOtherwise = new MatchedRulesCache();

  /** Paths that the same rules match share the results. */
  private final Cache<Shared, EndpointRules> shared =
      Caffeine.newBuilder().maximumSize(MAX_ENDPOINTS).executor(Runnable::run).build();

  private record Shared(List<CompiledRule> rules, OptionalLong cost) {}

  /**
   * Makes a rulebook of compiled rows.
   *
   * @param rules the rules that are or will be in force
   * @param compiler compiles rules that own limits of callers make necessary
   */
  public Rulebook(
      List<CompiledRule> rules,
      CostIndex costs,
      Map<String, PolicySwitch> switches,
      List<UnusableRule> unusable,
      RulebookContext context,
      Function<Rule, Optional<CompiledRule>> compiler) {
    this.rules = List.copyOf(rules);
    this.costs = costs;
    this.switches = Map.copyOf(switches);
    this.unusable = List.copyOf(unusable);
    this.context = context;
    this.hasQuotas = rules.stream().anyMatch(CompiledRule::isQuota);
    this.ownRules = new OwnLimitRules(this.rules, compiler);
    Map<String, List<CompiledRule>> ofPolicies = new HashMap<>();
    Set<String> methods = new TreeSet<>(costs.methods());
    for (CompiledRule each : this.rules) {
      if (!each.rule().tier().equals(Rule.EVERYBODY)) {
        tiers.add(each.rule().tier());
      }
      if (each.rule().isForPolicy()) {
        ofPolicies.computeIfAbsent(each.rule().policyName(), any -> new ArrayList<>()).add(each);
      } else {
        index.add(each.pattern(), each);
        methods.addAll(each.rule().methods());
      }
    }
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    methods.forEach(each -> matched.put(each, new MatchedRulesCache()));
    Map<String, PolicyOverrideRules> bound = new HashMap<>();
    ofPolicies.forEach((policy, found) -> bound.put(policy, new PolicyOverrideRules(found)));
    this.byPolicy = Map.copyOf(bound);
  }

  public static Rulebook empty() {
    return new Rulebook(
        List.of(),
        CostIndex.of(List.of(), new ArrayList<>()),
        Map.of(),
        List.of(),
        RulebookContext.NONE,
        rule -> Optional.empty());
  }

  /**
   * Returns the rules that match an endpoint and method, of all tiers.
   *
   * @param endpoint a template or a path; rules by pattern match what begins with a slash
   * @param method in upper case
   * @return {@link EndpointRules#NONE} if nothing matches
   */
  public EndpointRules match(EndpointForm form, String endpoint, String method) {
    if (form.differs(endpoint)) { // not kept: kept ones with braces are templates
      return find(form, endpoint, method);
    }
    MatchedRulesCache known = matched.getOrDefault(method, matchedOtherwise);
    EndpointRules found = known.get(endpoint);
    if (found == null) {
      found = find(form, endpoint, method);
      known.put(endpoint, found);
    }
    return found;
  }

  private EndpointRules find(EndpointForm form, String endpoint, String method) {
    List<CompiledRule> matching = index.find(form, endpoint);
    matching.removeIf(each -> !each.matchesMethod(method));
    OptionalLong cost = costs.find(form, endpoint, method);
    if (matching.isEmpty() && cost.isEmpty()) {
      return EndpointRules.NONE;
    }
    return shared.get(
        new Shared(matching, cost), any -> new EndpointRules(any.rules, any.cost, ownRules));
  }

  /** Returns {@link PolicyOverrideRules#NONE} if there are none. */
  public PolicyOverrideRules forPolicy(String policy) {
    return byPolicy.getOrDefault(policy, PolicyOverrideRules.NONE);
  }

  /**
   * Returns the cost of a request by the most specific row of {@code operation_costs}.
   *
   * @param method in upper case
   * @return permits, 1 and more; nothing if no row matches
   */
  public OptionalLong cost(EndpointForm form, String endpoint, String method) {
    return match(form, endpoint, method).cost();
  }

  /** Returns whether any rule counts in the quotas of callers. */
  public boolean hasQuotas() {
    return hasQuotas;
  }

  /**
   * Finds the rule of a user's quota, for any endpoint: of the rules of its tier and of everybody
   * that are enforced, the one with the lowest limit.
   *
   * @param now microseconds since the epoch
   * @return as requests have it; nothing if the user has none
   */
  public Optional<AppliedRule> quotaOf(String tier, OwnLimits own, long now) {
    return rules.stream()
        .filter(each -> each.isQuota() && !each.isShadow() && each.holds(now))
        .filter(
            each -> each.rule().tier().equals(tier) || each.rule().tier().equals(Rule.EVERYBODY))
        .map(
            each ->
                each.rule().tier().equals(tier)
                    ? OwnLimitRules.named(each, own)
                    : AppliedRule.of(each))
        .min(Comparator.comparingLong(AppliedRule::limit));
  }

  /** Returns whether it has any switch, ended or not. */
  public boolean hasSwitches() {
    return !switches.isEmpty();
  }

  /**
   * Returns the switch of a policy: its own, else the one of all.
   *
   * @param policy the name of a policy or rule
   * @param now microseconds since the epoch
   * @return nothing if there is none, or it has ended
   */
  public Optional<SwitchState> switchOf(String policy, long now) {
    if (switches.isEmpty()) {
      return Optional.empty();
    }
    return inForce(policy, now).or(() -> inForce(PolicySwitch.ALL, now));
  }

  private Optional<SwitchState> inForce(String policy, long now) {
    PolicySwitch found = switches.get(policy);
    return found != null && now < EpochMicros.of(found.until())
        ? Optional.of(found.state())
        : Optional.empty();
  }

  /**
   * Returns all rules that have an effect, or will have, by pattern and by policy, of all tiers.
   */
  public List<CompiledRule> rules() {
    return rules;
  }

  public List<UnusableRule> unusable() {
    return unusable;
  }

  /**
   * Returns, in no order, the {@linkplain #unusable() unusable rows} whose patterns match an
   * endpoint.
   */
  public List<UnusableRule> unusableAt(EndpointForm form, String endpoint) {
    PatternIndex<UnusableRule> matching = new PatternIndex<>();
    for (UnusableRule each : unusable) {
      try {
        matching.add(EndpointPattern.parse(each.pattern()), each);
      } catch (IllegalArgumentException noPattern) {
        // it is for a policy, or matches nothing
      }
    }
    return matching.find(form, endpoint);
  }

  public Collection<Policy> boundPolicies() {
    return context.boundPolicies();
  }

  /** Returns the versions, by id, that stay in force if their rows can't be used later. */
  public Map<Long, Rule> inForce() {
    Map<Long, Rule> byId = new HashMap<>();
    rules.forEach(each -> byId.put(each.rule().id(), each.rule()));
    return Map.copyOf(byId);
  }

  /**
   * Finds the problems of a user's row: own limits that fit no rule of the tier, and, as a warning,
   * a tier that nothing limits.
   *
   * @param user a row that can be read
   * @return problems that name the user by digest only; none if all fit
   */
  public List<RuleProblem> check(UserTier user) {
    return UserValidator.problems(user, ownRules, isKnown(user.tier()), this::tiers);
  }

  /**
   * Finds own limits of policies that the application hasn't bound.
   *
   * @param user a row that can be read
   * @return warnings that name the user by digest only
   */
  public List<RuleProblem> unknownPolicies(UserTier user) {
    if (user.ownLimits().stream().noneMatch(each -> each.rule().startsWith(Rule.POLICY))) {
      return List.of();
    }
    Set<String> bound = new TreeSet<>();
    context.boundPolicies().forEach(each -> bound.add(each.name()));
    return UserValidator.unknownPolicies(user, ownRules, bound);
  }

  /**
   * Returns the tiers for which a rule or an annotated policy has limits.
   *
   * @return without {@code *}, which is no tier
   */
  public Set<String> tiers() {
    Set<String> all = new TreeSet<>(tiers);
    context.boundPolicies().forEach(each -> all.addAll(each.tiers().keySet()));
    return all;
  }

  /**
   * Returns whether any rule or annotated policy has limits for a tier.
   *
   * @param tier a tier's name; case counts
   * @return false for {@code *}, which is no tier
   */
  public boolean isKnown(String tier) {
    return tiers.contains(tier)
        || context.boundPolicies().stream().anyMatch(each -> each.tiers().containsKey(tier));
  }

  /**
   * Returns a template that was met, or that another pattern names, of the same form as a pattern,
   * but with a variable where that has a literal.
   */
  public Optional<String> templatesLike(EndpointPattern pattern) {
    Stream<String> met =
        Stream.concat(matched.values().stream(), Stream.of(matchedOtherwise))
            .flatMap(MatchedRulesCache::endpoints);
    Stream<String> named =
        rules.stream().filter(each -> !each.pattern().hasRest()).map(each -> each.rule().pattern());
    return Stream.concat(met, named)
        .filter(each -> each.startsWith("/") && each.indexOf('{') > 0)
        .filter(each -> pattern.isLiteralOf(each))
        .sorted()
        .findFirst();
  }

  /** Returns the number of cached endpoints of the method that has most. */
  long endpointsKept() {
    return Stream.concat(matched.values().stream(), Stream.of(matchedOtherwise))
        .mapToLong(MatchedRulesCache::size)
        .max()
        .orElse(0);
  }

  public RulebookContext context() {
    return context;
  }
}
