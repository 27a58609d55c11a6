package io.weir.internal.settings;

import io.weir.internal.extension.WeirServiceLoader;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds the settings that modules on the class path declare in addition to Weir's own.
 *
 * <p>Immutable.
 */
final class DeclaredModuleSettings {
  static final DeclaredModuleSettings NONE = new DeclaredModuleSettings(Map.of());

  private final Map<String, ModuleSetting> byName;

  private DeclaredModuleSettings(Map<String, ModuleSetting> byName) {
    this.byName = byName;
  }

  /** Collects the settings of all modules that a class loader finds. */
  static DeclaredModuleSettings in(ClassLoader loader) {
    Map<String, ModuleSetting> all = new TreeMap<>();
    for (ModuleSettings module : WeirServiceLoader.load(ModuleSettings.class, loader)) {
      for (ModuleSetting each : module.settings()) {
        if (SettingNames.syntax(each.name()).isPresent() || all.put(each.name(), each) != null) {
          throw new IllegalStateException(
              module.getClass().getName()
                  + " declares the setting "
                  + each.name()
                  + ", which exists already");
        }
      }
    }
    return all.isEmpty() ? NONE : new DeclaredModuleSettings(all);
  }

  Set<String> names() {
    return byName.keySet();
  }

  /** Returns the syntax of a setting; empty if no module declares it. */
  Optional<ValueSyntax<?>> syntax(String name) {
    return Optional.ofNullable(byName.get(name)).map(DeclaredModuleSettings::syntax);
  }

  private static ValueSyntax<?> syntax(ModuleSetting setting) {
    return switch (setting.kind()) {
      case TEXT -> ValueSyntax.text();
      case FLAG -> ValueSyntax.flag();
      case NUMBER -> ValueSyntax.number(setting.min(), setting.max());
      case DURATION ->
          ValueSyntax.duration(Duration.ofMillis(setting.min()), Duration.ofMillis(setting.max()));
      case WORD -> ValueSyntax.words(setting.words().toArray(new String[0]));
    };
  }

  /** Returns the default of a setting; the empty string if no module declares it. */
  String defaultOf(String name) {
    ModuleSetting setting = byName.get(name);
    return setting == null ? "" : setting.defaultValue();
  }
}
