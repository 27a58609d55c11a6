package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.internal.policy.draft.EndpointCapabilities;
import io.weir.internal.policy.draft.PolicyChecks;
import io.weir.internal.policy.draft.PolicyDraft;
import io.weir.internal.settings.NearestWord;
import io.weir.internal.settings.PolicyMember;
import io.weir.internal.settings.PolicyMembers;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.internal.value.VariableNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads policies from the settings. */
final class PolicySettings {
  /** The rule for policies that take the name of the application's one policy. */
  static final String RESERVED =
      "is the name of the policy that weir.application.* defines; choose another name";

  private PolicySettings() {}

  /** Returns the names of all policies that have settings. */
  static Set<String> names(SettingsSnapshot settings) {
    Set<String> names = new TreeSet<>();
    settings.all().keySet().forEach(name -> SettingNames.policyOf(name).ifPresent(names::add));
    return names;
  }

  /**
   * Returns whether the settings define a policy of their own; exceptions alone don't.
   *
   * @param prefix {@link SettingNames#DEFAULT} or {@link SettingNames#APPLICATION}
   */
  static boolean has(String prefix, SettingsSnapshot settings) {
    return settings.anyUnder(prefix)
        && (SettingNames.members().stream()
                .filter(member -> !member.equals(SettingNames.EXCEPT))
                .anyMatch(member -> settings.find(prefix + member).isPresent())
            || settings.all().keySet().stream()
                .filter(name -> !name.equals(prefix + SettingNames.EXCEPT))
                .anyMatch(name -> name.startsWith(prefix)));
  }

  /**
   * Finds the mistakes in {@code weir.default.*} or {@code weir.application.*} that don't depend on
   * an endpoint.
   *
   * @param prefix {@link SettingNames#DEFAULT} or {@link SettingNames#APPLICATION}
   * @param scope what policies can use everywhere
   * @param before the settings that the endpoints read so far were bound under
   */
  static List<String> mistakes(
      String prefix,
      EndpointCapabilities scope,
      SettingsSnapshot before,
      SettingsSnapshot settings) {
    List<String> mistakes = new ArrayList<>();
    if (has(prefix, before) != has(prefix, settings)) {
      mistakes.add(prefix + "*: can't be added or removed while the application runs; restart it");
    }
    if (has(prefix, settings)) {
      String place = prefix.substring(0, prefix.length() - 1);
      String name = place.substring(place.indexOf('.') + 1);
      alone(name, prefix, place, scope, settings, mistakes);
    }
    return mistakes;
  }

  /** Makes a policy that settings alone define; empty if it has a mistake. */
  static Optional<Policy> alone(
      String name,
      String prefix,
      String place,
      EndpointCapabilities scope,
      SettingsSnapshot settings,
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
                  + " = (not set): must be set, since a policy needs limit and window");
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

  /** Returns a line for each policy that has settings but doesn't exist. */
  static List<String> unknown(SettingsSnapshot settings, Collection<LivePolicy> policies) {
    List<String> lines = new ArrayList<>();
    for (String prefix : List.of(SettingNames.DEFAULT, SettingNames.APPLICATION)) {
      String name = prefix + SettingNames.EXCEPT;
      if (settings.find(name).isPresent() && !has(prefix, settings)) {
        lines.add(
            name
                + " = "
                + settings.text(name, "")
                + ": has no effect, since "
                + prefix
                + "limit isn't set; set limit and window, or remove it");
      }
    }
    if (!settings.anyUnder(SettingNames.POLICY)) {
      return lines;
    }
    Set<String> known = policies.stream().map(LivePolicy::name).collect(Collectors.toSet());
    for (String name : names(settings)) {
      // Under a tier named like a member, the policy's name seems to end in ".tier".
      if (!known.contains(name)
          && known.stream()
              .noneMatch(
                  each -> name.equals(each + ".tier") || name.equals(each + ".tier-refill"))) {
        lines.add(
            SettingNames.POLICY
                + name
                + ": no endpoint read so far has a policy of this name"
                + NearestWord.hint(name, known));
      }
    }
    String variables = VariableNames.of(SettingNames.POLICY);
    lines.addAll(settings.unknownVariables(variables, () -> members(policies)));
    return lines;
  }

  /** Returns all settings that the policies can have. */
  private static Set<String> members(Collection<LivePolicy> policies) {
    Set<String> members = new HashSet<>();
    for (LivePolicy each : policies) {
      String prefix = SettingNames.POLICY + each.name() + ".";
      SettingNames.members().forEach(member -> members.add(prefix + member));
      each.current()
          .tiers()
          .keySet()
          .forEach(
              tier -> {
                members.add(prefix + SettingNames.TIER + tier);
                members.add(prefix + SettingNames.TIER_REFILL + tier);
              });
    }
    return members;
  }
}
