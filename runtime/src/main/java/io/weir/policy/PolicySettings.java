package io.weir.policy;

import io.weir.Policy;
import io.weir.settings.Nearest;
import io.weir.settings.SettingNames;
import io.weir.settings.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What the settings say about policies, whichever these are. */
final class PolicySettings {
  private PolicySettings() {}

  /** The names of all policies that the settings speak of. */
  static Set<String> names(Settings settings) {
    Set<String> names = new TreeSet<>();
    settings.all().keySet().forEach(name -> SettingNames.policyOf(name).ifPresent(names::add));
    return names;
  }

  /** Whether endpoints without any annotation have a policy. */
  static boolean hasDefault(Settings settings) {
    return SettingNames.members().stream()
        .anyMatch(member -> settings.find(SettingNames.DEFAULT + member).isPresent());
  }

  /** Costs by HTTP method, as {@code weir.cost.<METHOD>} gives them. */
  static Map<String, Long> costs(Settings settings) {
    Map<String, Long> costs = new HashMap<>();
    List<String> names = new ArrayList<>(settings.all().keySet());
    SettingNames.METHODS.forEach(method -> names.add(SettingNames.COST + method));
    for (String name : names) {
      if (name.startsWith(SettingNames.COST) && settings.find(name).isPresent()) {
        costs.put(
            name.substring(SettingNames.COST.length()),
            settings.number(name, 1, 1, Policy.MAX_LIMIT));
      }
    }
    return Map.copyOf(costs);
  }

  /** A line for each policy that is spoken of and doesn't exist. */
  static List<String> unknown(Settings settings, Set<String> known) {
    return names(settings).stream()
        .filter(name -> !known.contains(name))
        .filter(name -> known.stream().noneMatch(each -> name.equals(each + ".tier")))
        .map(
            name ->
                SettingNames.POLICY
                    + name
                    + ": no endpoint read so far has a policy of this name"
                    + Nearest.hint(name, known))
        .toList();
  }
}
