package io.weir.internal.settings;

import io.weir.internal.extension.WeirServiceLoader;
import io.weir.spi.ModuleSetting;
import io.weir.spi.ModuleSettings;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Holds the settings that modules on the class path declare in addition to Weir's own.
 *
 * <p>Immutable.
 */
final class DeclaredModuleSettings {
  private static final ValueSyntax<?> TEXT = ValueSyntax.text();

  static final DeclaredModuleSettings NONE = new DeclaredModuleSettings(Map.of(), Set.of());

  private final Map<String, ModuleSetting> byName;
  private final Set<String> storeKinds;

  private DeclaredModuleSettings(Map<String, ModuleSetting> byName, Set<String> storeKinds) {
    this.byName = byName;
    this.storeKinds = storeKinds;
  }

  /** Collects the settings of all modules that a class loader finds. */
  static DeclaredModuleSettings in(ClassLoader loader) {
    Map<String, ModuleSetting> all = new TreeMap<>();
    Set<String> kinds = new TreeSet<>();
    for (ModuleSettings module : WeirServiceLoader.load(ModuleSettings.class, loader)) {
      kinds.addAll(module.storeKinds());
      for (ModuleSetting each : module.settings()) {
        if (SettingNames.syntax(each.name()).isPresent() || all.put(each.name(), each) != null) {
          throw invalid(module, each, "which already exists");
        }
        if (SettingNames.storeKind(each.name()).filter(isNotOf(module)).isPresent()) {
          throw invalid(module, each, "whose kind must be one of its storeKinds()");
        }
      }
    }
    return new DeclaredModuleSettings(all, kinds);
  }

  private static Predicate<String> isNotOf(ModuleSettings module) {
    return kind -> !module.storeKinds().contains(kind);
  }

  private static IllegalStateException invalid(
      ModuleSettings module, ModuleSetting setting, String fault) {
    return new IllegalStateException(
        module.getClass().getName() + " declares the setting " + setting.name() + ", " + fault);
  }

  Set<String> names() {
    return byName.keySet();
  }

  /**
   * Returns the syntax of a setting: any text if it is one of a kind of store that no module
   * declares; empty for all others that no module declares.
   */
  Optional<ValueSyntax<?>> syntax(String setting) {
    String name = SettingNames.asOfOwnStore(setting);
    return Optional.ofNullable(byName.get(name))
        .<ValueSyntax<?>>map(DeclaredModuleSettings::syntax)
        .or(() -> SettingNames.storeKind(name).filter(this::isUnchecked).map(any -> TEXT));
  }

  private boolean isUnchecked(String kind) {
    return !storeKinds.contains(kind.toLowerCase(Locale.ROOT));
  }

  /**
   * Returns whether an environment variable may be a setting of a kind of store that no module
   * declares.
   */
  boolean isOfUncheckedStore(String variable) {
    return SettingNames.isOfStore(variable)
        && storeKinds.stream()
            .map(SettingNames::storeVariable)
            .noneMatch(SettingNames.asOfOwnStoreVariable(variable)::startsWith);
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
