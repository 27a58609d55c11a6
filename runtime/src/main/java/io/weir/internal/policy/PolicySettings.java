package io.weir.internal.policy;

import io.weir.Policy;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads what the settings say about policies. */
final class PolicySettings {
  /** The rule for policies that take the name of the application's one policy. */
  static final String RESERVED =
      "is the name of the policy that weir.application.* makes; choose another name";

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
