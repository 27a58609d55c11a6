package io.weir.internal.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Names the optional modules that settings need and the class path lacks. */
final class MissingModules {
  /**
   * The modules by the setting that switches each on; their other settings begin with it and a dot.
   */
  private static final Map<String, String> MODULES =
      Map.of("weir.rules", "weir-rules", "weir.rocksdb", "weir-rocksdb");

  /** Other prefixes of a module's settings, and the setting that switches the module on. */
  private static final Map<String, String> FURTHER =
      Map.of("weir.usage", "weir.rules", "weir.anomaly", "weir.rules");

  private MissingModules() {}

  /** Returns the settings that switch on modules that aren't on the class path. */
  static List<String> switches(Set<String> declared) {
    return MODULES.keySet().stream().filter(each -> !declared.contains(each)).toList();
  }

  /** Returns whether a setting switches a module off, which then needn't be there. */
  static boolean isOff(String name, String value) {
    return value.isBlank() && MODULES.containsKey(name);
  }

  /**
   * Says which module a setting needs if that isn't on the class path.
   *
   * @param declared the settings of the modules on the class path
   */
  static Optional<String> rule(String name, Set<String> declared) {
    return MODULES.keySet().stream()
        .filter(module -> isOf(module, name))
        .filter(module -> declared.stream().noneMatch(each -> isOf(module, each)))
        .map(module -> "`" + module + "` needs " + MODULES.get(module) + " on the class path")
        .findFirst();
  }

  private static boolean isOf(String module, String name) {
    return beginsWith(module, name)
        || FURTHER.entrySet().stream()
            .anyMatch(each -> each.getValue().equals(module) && beginsWith(each.getKey(), name));
  }

  private static boolean beginsWith(String first, String name) {
    return name.equals(first) || name.startsWith(first + ".");
  }
}
