package io.weir.internal.settings;

import io.weir.InvalidSettingException;
import io.weir.internal.value.ServiceVariables;
import io.weir.internal.value.VariableNames;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Reads settings from MicroProfile Config if it is on the class path. No other class needs its API.
 *
 * <p>Safe for concurrent use.
 */
final class MicroProfileSource {
  private final Config config;
  private final DeclaredModuleSettings declared;
  private final Supplier<Map<String, String>> environment;

  /** Whether a value can be read unresolved. Config 1.x can't, and has no expressions. */
  private volatile boolean isRawReadable = true;

  private MicroProfileSource(
      Config config, DeclaredModuleSettings declared, Supplier<Map<String, String>> environment) {
    this.config = config;
    this.declared = declared;
    this.environment = environment;
  }

  /** Finds the configuration of the application. An API without a provider counts as absent. */
  static Supplier<Optional<SettingsLayer>> find(
      ClassLoader loader,
      DeclaredModuleSettings declared,
      Supplier<Map<String, String>> environment) {
    try {
      Config config = ConfigProvider.getConfig(loader);
      return new MicroProfileSource(config, declared, environment)::read;
    } catch (IllegalStateException noProvider) {
      return Optional::empty;
    }
  }

  private Optional<SettingsLayer> read() {
    Map<String, String> values = new HashMap<>();
    for (String name : names()) {
      value(name)
          .filter(value -> !ServiceVariables.isOne(VariableNames.of(name), value))
          .ifPresent(value -> values.put(name, value));
    }
    return Optional.of(SettingsLayer.of("MicroProfile Config", values));
  }

  /**
   * Returns the names to ask for: all fixed ones too, since some sources don't list their names.
   */
  private Set<String> names() {
    Set<String> names = new TreeSet<>(SettingNames.fixed());
    names.addAll(declared.names());
    Set<String> listed = new TreeSet<>();
    config.getPropertyNames().forEach(listed::add);
    listed.stream()
        .flatMap(each -> SettingNames.regionOfVariable(each).stream())
        .forEach(region -> names.addAll(SettingNames.ofRegion(region, declared.names())));
    Set<String> others =
        listed.stream()
            .filter(SettingNames::isOurs)
            .filter(name -> isKnown(name) || !isDottedVariable(name, listed, names))
            .collect(Collectors.toSet());
    names.addAll(others);
    return names;
  }

  private boolean isKnown(String name) {
    return SettingNames.syntax(name).isPresent() || declared.syntax(name).isPresent();
  }

  /**
   * Returns whether a name is only the spelling of a variable with dots, as SmallRye lists each.
   * The variable belongs to a setting with hyphens, which is asked for by its own name, or is one
   * of the environment, which is checked there.
   */
  private boolean isDottedVariable(String name, Set<String> listed, Set<String> asked) {
    String variable = VariableNames.of(name);
    return listed.contains(variable)
        && name.equals(variable.toLowerCase(Locale.ROOT).replace('_', '.'))
        && (environment.get().containsKey(variable)
            || asked.stream().map(VariableNames::of).anyMatch(variable::equals));
  }

  private Optional<String> value(String name) {
    try {
      Optional<String> value = config.getOptionalValue(name, String.class);
      // A value whose expression can't be resolved is absent, without an error.
      String raw = value.isPresent() ? "" : raw(name);
      if (!raw.isBlank()) {
        throw new InvalidSettingException(
            name
                + " = '"
                + raw
                + "' (MicroProfile Config): must be an expression that has a value");
      }
      return value;
    } catch (InvalidSettingException mistake) {
      throw mistake;
    } catch (RuntimeException unreadable) {
      throw new InvalidSettingException(
          name + " (MicroProfile Config): can't be read: " + unreadable.getMessage());
    }
  }

  private String raw(String name) {
    if (!isRawReadable) {
      return "";
    }
    try {
      String raw = config.getConfigValue(name).getRawValue();
      return raw == null ? "" : raw;
    } catch (LinkageError earlierVersion) { // of the API or the provider
      isRawReadable = false;
      return "";
    }
  }
}
