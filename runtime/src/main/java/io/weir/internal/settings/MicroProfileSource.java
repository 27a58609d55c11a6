package io.weir.internal.settings;

import io.weir.InvalidSettingException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The settings of MicroProfile Config, which is optional: Weir uses it if it is on the class path.
 * The only class that needs its API.
 *
 * <p>Safe for concurrent use.
 */
final class MicroProfileSource {
  private final Config config;
  private final DeclaredSettings declared;

  /** Whether a value can be read as it is written: not in Config 1.x, which has no expressions. */
  private volatile boolean isRawReadable = true;

  private MicroProfileSource(Config config, DeclaredSettings declared) {
    this.config = config;
    this.declared = declared;
  }

  /** Finds the application's; an API without anybody who provides it counts as absent. */
  static Supplier<Optional<SettingsLayer>> find(ClassLoader loader, DeclaredSettings declared) {
    try {
      Config config = ConfigProvider.getConfig(loader);
      return new MicroProfileSource(config, declared)::read;
    } catch (IllegalStateException noProvider) {
      return Optional::empty;
    }
  }

  private Optional<SettingsLayer> read() {
    Map<String, String> values = new HashMap<>();
    for (String name : names()) {
      value(name).ifPresent(value -> values.put(name, value));
    }
    return Optional.of(SettingsLayer.of("MicroProfile Config", values));
  }

  /** Some sources don't list their names, so all fixed names are asked for in any case. */
  private Set<String> names() {
    Set<String> names = new TreeSet<>(SettingNames.whole());
    names.addAll(declared.names());
    for (String name : config.getPropertyNames()) {
      if (SettingNames.isOurs(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private Optional<String> value(String name) {
    try {
      Optional<String> value = config.getOptionalValue(name, String.class);
      // An expression that can't be resolved makes a value absent without an error.
      String raw = value.isPresent() ? "" : raw(name);
      if (!raw.isBlank()) {
        throw new InvalidSettingException(
            name + " = '" + raw + "' (MicroProfile Config): must lead to a value");
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
    } catch (LinkageError earlierVersion) { // of the API, or of what provides it
      isRawReadable = false;
      return "";
    }
  }
}
