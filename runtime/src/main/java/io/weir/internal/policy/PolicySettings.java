package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.internal.policy.draft.EndpointAnnotations;
import io.weir.internal.policy.draft.EndpointCapabilities;
import io.weir.internal.policy.draft.PolicyChecks;
import io.weir.internal.policy.draft.PolicyDraft;
import io.weir.internal.settings.NearestWord;
import io.weir.internal.settings.PolicyMember;
import io.weir.internal.settings.PolicyMembers;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads what the settings say about policies. */
final class PolicySettings {
  private PolicySettings() {}

  /** The names of all policies that the settings speak of. */
  static Set<String> names(Settings settings) {
    Set<String> names = new TreeSet<>();
    settings.all().keySet().forEach(name -> SettingNames.policyOf(name).ifPresent(names::add));
    return names;
  }

  /**
   * Whether the settings make a policy that no annotation names.
   *
   * @param prefix {@link SettingNames#DEFAULT} or {@link SettingNames#APPLICATION}
   */
  static boolean has(String prefix, Settings settings) {
    return settings.anyUnder(prefix)
        && (SettingNames.members().stream()
                .anyMatch(member -> settings.find(prefix + member).isPresent())
            || settings.all().keySet().stream().anyMatch(name -> name.startsWith(prefix)));
  }

  /**
   * What is wrong with {@code weir.default.*} or {@code weir.application.*} wherever it applies.
   *
   * @param prefix {@link SettingNames#DEFAULT} or {@link SettingNames#APPLICATION}
   * @param scope what it can make use of everywhere
   * @param before what the endpoints read so far went by
   */
  static List<String> mistakes(
      String prefix, EndpointCapabilities scope, Settings before, Settings settings) {
    List<String> mistakes = new ArrayList<>();
    if (has(prefix, before) != has(prefix, settings)) {
      mistakes.add(prefix + "*: can't appear or disappear while the application runs");
    }
    if (has(prefix, settings)) {
      String place = prefix.substring(0, prefix.length() - 1);
      String name = place.substring(place.indexOf('.') + 1);
      alone(name, prefix, place, scope, settings, mistakes);
    }
    return mistakes;
  }

  /** A policy made by settings alone; nothing if it has a mistake. */
  static Optional<Policy> alone(
      String name,
      String prefix,
      String place,
      EndpointCapabilities scope,
      Settings settings,
      List<String> mistakes) {
    try {
      PolicyDraft draft = PolicyDraft.empty(name).overridden(settings, prefix);
      List<String> found = new ArrayList<>();
      for (PolicyMember<?> needed : List.of(PolicyMembers.LIMIT, PolicyMembers.WINDOW)) {
        if (!draft.isSet(needed)) {
          found.add(
              place
                  + ": "
                  + prefix
                  + needed.setting()
                  + " = (not set): must be set with the others");
        }
      }
      found.addAll(found.isEmpty() ? PolicyChecks.mistakes(draft, place, scope) : List.of());
      mistakes.addAll(found);
      return found.isEmpty() ? Optional.of(draft.policy()) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      mistakes.add(place + ": " + malformed.getMessage());
      return Optional.empty();
    }
  }

  /** Costs by HTTP method, as {@code weir.cost.<METHOD>} and the defaults give them. */
  static Map<String, Long> costs(Settings settings) {
    if (!settings.anyUnder(SettingNames.COST)) {
      return Map.of();
    }
    Map<String, Long> costs = new HashMap<>();
    if (settings.flag(SettingNames.COST_DEFAULTS, false)) {
      costs.putAll(SettingNames.DEFAULT_COSTS);
    }
    List<String> names = new ArrayList<>(settings.all().keySet());
    SettingNames.METHODS.forEach(method -> names.add(SettingNames.COST + method));
    names.removeIf(SettingNames.COST_DEFAULTS::equals);
    for (String name : names) {
      if (name.startsWith(SettingNames.COST) && settings.find(name).isPresent()) {
        String method = name.substring(SettingNames.COST.length());
        costs.put(method, settings.number(name, 1, 1, Policy.MAX_LIMIT));
      }
    }
    return Map.copyOf(costs);
  }

  /** The permits at once of the smallest tier. */
  static long smallest(Policy policy) {
    long limit = policy.tiers().values().stream().reduce(policy.limit(), Math::min);
    return policy.burstFor(limit);
  }

  /**
   * Finds the endpoints whose requests would cost more permits than one of their policies ever has.
   *
   * @param endpoints what is bound where
   * @param inForce finds what a policy would be under these settings; nothing if it is mistaken
   */
  static List<CostMistake> costMistakes(
      Map<Endpoint, EndpointPolicies.Bound> endpoints,
      Function<LivePolicy, Optional<Policy>> inForce,
      Settings settings) {
    if (!settings.anyUnder(SettingNames.COST)) {
      return List.of();
    }
    List<CostMistake> mistakes = new ArrayList<>();
    endpoints.forEach(
        (endpoint, bound) ->
            bound.policies().stream()
                .flatMap(each -> inForce.apply(each).stream())
                .flatMap(
                    each -> costMistake(endpoint, bound.annotations(), each, settings).stream())
                .forEach(mistakes::add));
    return mistakes;
  }

  private static Optional<CostMistake> costMistake(
      Endpoint endpoint, EndpointAnnotations annotations, Policy policy, Settings settings) {
    long burst = smallest(policy);
    return endpoint
        .httpMethod(annotations)
        .filter(any -> policy.cost() == 1 && policy.costFrom().isEmpty())
        .filter(
            method -> settings.number(SettingNames.COST + method, 1, 1, Policy.MAX_LIMIT) > burst)
        .map(
            method ->
                new CostMistake(policy.name(), method, line(endpoint, method, policy, settings)));
  }

  private static String line(Endpoint endpoint, String method, Policy policy, Settings settings) {
    String name = SettingNames.COST + method;
    return endpoint.place()
        + ": "
        + name
        + " = "
        + settings.text(name, "")
        + ": must be 1 to "
        + smallest(policy)
        + ", the permits at once of policy "
        + policy.name()
        + (policy.tiers().isEmpty() ? "" : " (its smallest tier)");
  }

  /** A line for each policy that settings name and that doesn't exist. */
  static List<String> unknown(Settings settings, Collection<LivePolicy> policies) {
    if (!settings.anyUnder(SettingNames.POLICY)) {
      return List.of();
    }
    Set<String> known = policies.stream().map(LivePolicy::name).collect(Collectors.toSet());
    List<String> lines = new ArrayList<>();
    for (String name : names(settings)) {
      // Under a tier named like a member, the policy's name seems to end in ".tier".
      if (!known.contains(name) && known.stream().noneMatch(each -> name.equals(each + ".tier"))) {
        lines.add(
            SettingNames.POLICY
                + name
                + ": no endpoint read so far has a policy of this name"
                + NearestWord.hint(name, known));
      }
    }
    String variables = SettingNames.variable(SettingNames.POLICY);
    lines.addAll(settings.unknownVariables(variables, () -> members(policies)));
    return lines;
  }

  /** Whatever could be set of the policies. */
  private static Set<String> members(Collection<LivePolicy> policies) {
    Set<String> members = new HashSet<>();
    for (LivePolicy each : policies) {
      String prefix = SettingNames.POLICY + each.name() + ".";
      SettingNames.members().forEach(member -> members.add(prefix + member));
      each.current()
          .tiers()
          .keySet()
          .forEach(tier -> members.add(prefix + SettingNames.TIER + tier));
    }
    return members;
  }
}
