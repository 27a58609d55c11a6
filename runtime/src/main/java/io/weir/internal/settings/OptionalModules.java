package io.weir.internal.settings;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The settings of modules that an application may leave out, and what it leaves out then. */
final class OptionalModules {
  /** By the setting that switches a module on; the names of others begin with it and a dot. */
  private static final Map<String, String> MODULES =
      Map.of("weir.rules", "weir-rules", "weir.rocksdb", "weir-rocksdb");

  /** Further settings of modules, and others that begin so, by what switches the module on. */
  private static final Map<String, String> FURTHER =
      Map.of("weir.usage", "weir.rules", "weir.anomaly", "weir.rules");

  private OptionalModules() {}

  /** The settings that switch on modules that aren't there. */
  static List<String> switches(Set<String> declared) {
    return MODULES.keySet().stream().filter(each -> !declared.contains(each)).toList();
  }

  /**
   * What is missing if a setting belongs to a module that isn't there.
   *
   * @param declared the settings of the modules that are there
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
