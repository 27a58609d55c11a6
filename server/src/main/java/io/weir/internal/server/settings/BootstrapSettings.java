package io.weir.internal.server.settings;

import io.weir.InvalidSettingException;
import io.weir.internal.module.Setting;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;

/**
 * The settings that are needed before the limiter reads its own: the file with settings and the
 * directory for data. Chooses the embedded store and database if none is set. Values are read from
 * the same places as the limiter's, in the same order.
 *
 * <p>Immutable.
 */
public final class BootstrapSettings {
  private static final String CONFIG = "weir.config";
  private static final String STORE = "weir.store";
  private static final String SECRET = "weir.secret";
  private static final String RULES = "weir.rules";

  private final Optional<Path> config;
  private final Function<String, Optional<String>> values;

  private BootstrapSettings(Optional<Path> config, Function<String, Optional<String>> values) {
    this.config = config;
    this.values = values;
  }

  /**
   * Reads system properties, the environment and a file.
   *
   * @param named the file that the command line names; empty for that of {@code weir.config}, else
   *     {@code weir.properties} in the working directory
   * @throws InvalidSettingException if a file that is named doesn't exist or can't be read
   */
  public static BootstrapSettings read(Optional<Path> named) {
    Function<String, Optional<String>> outside = BootstrapSettings::outside;
    Optional<Path> config = named.or(() -> outside.apply(CONFIG).map(BootstrapSettings::path));
    if (config.isPresent() && !Files.isReadable(config.get())) {
      throw new InvalidSettingException(
          "the file " + config.get() + " doesn't exist or can't be read");
    }
    Properties file = file(config.orElse(Path.of("weir.properties")));
    return new BootstrapSettings(
        config,
        name ->
            outside
                .apply(name)
                .or(() -> Optional.ofNullable(file.getProperty(name)))
                .map(String::strip)
                .filter(value -> !value.isEmpty()));
  }

  private static Optional<String> outside(String name) {
    String variable = name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    return Optional.ofNullable(System.getProperty(name))
        .or(() -> Optional.ofNullable(System.getenv(variable)));
  }

  private static Properties file(Path path) {
    Properties file = new Properties();
    if (Files.exists(path)) {
      try (Reader reader = Files.newBufferedReader(path)) {
        file.load(reader);
      } catch (IOException | IllegalArgumentException unreadable) {
        throw new InvalidSettingException("file " + path + ": " + unreadable.getMessage());
      }
    }
    return file;
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException malformed) {
      throw new InvalidSettingException(CONFIG + ": " + malformed.getMessage());
    }
  }

  /** Returns a value as it is set. */
  public Optional<String> value(String name) {
    return values.apply(name);
  }

  /** Returns a value as it is set, or the default. */
  public String text(Setting<?> setting) {
    return value(setting.name()).orElse(setting.defaultText());
  }

  /**
   * Returns the value of a setting, or the default if it isn't set.
   *
   * @throws IllegalArgumentException if the value is malformed
   */
  public <T> T get(Setting<T> setting) {
    return setting.read(name -> text(setting));
  }

  private Path data() {
    String text = get(ServerSettings.DATA);
    if (text.contains(";")) {
      throw new InvalidSettingException(
          ServerSettings.DATA.name() + " must not contain a semicolon");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException malformed) {
      throw new InvalidSettingException(ServerSettings.DATA.name() + ": " + malformed.getMessage());
    }
  }

  /** Returns whether the store or the database is in that directory. */
  private boolean needsData() {
    return values.apply(STORE).isEmpty() || values.apply(RULES).isEmpty();
  }

  /**
   * Returns the settings that override those that the limiter reads itself. Creates the directory
   * for data if it is needed.
   *
   * @throws InvalidSettingException if the directory can't be created
   */
  public Map<String, String> overrides() {
    Map<String, String> settings = new HashMap<>();
    config.ifPresent(file -> settings.put(CONFIG, file.toString()));
    Path data = data().toAbsolutePath().normalize();
    if (needsData()) {
      DataDirectory.open(data);
    }
    if (values.apply(STORE).isEmpty()) {
      settings.put(STORE, address(data.resolve(DataDirectory.BUCKETS)));
      if (values.apply(SECRET).isEmpty()) {
        settings.put(SECRET, DataDirectory.secret(data));
      }
    }
    values
        .apply(ServerSettings.NODE.name())
        .ifPresent(name -> settings.put(ServerSettings.NODE.name(), name));
    if (values.apply(RULES).isEmpty()) {
      settings.put(RULES, "jdbc:h2:file:" + data.resolve(DataDirectory.RULES));
    }
    return settings;
  }

  /** Escapes the directory, since a store's address is a URI. */
  private static String address(Path directory) {
    try {
      return new URI("rocksdb", directory.toString(), null).toString();
    } catch (URISyntaxException malformed) {
      throw new InvalidSettingException(ServerSettings.DATA.name() + ": " + malformed.getMessage());
    }
  }
}
