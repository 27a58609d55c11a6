package io.weir.internal.server.settings;

import io.weir.InvalidSettingException;
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
 * What has to be known before the limiter reads its settings: where data goes, and what the server
 * takes where nobody names a store and a database. Read from the same places, in the same order.
 *
 * <p>Immutable.
 */
public final class StartSettings {
  private static final String CONFIG = "weir.config";
  private static final String STORE = "weir.store";
  private static final String SECRET = "weir.secret";
  private static final String RULES = "weir.rules";

  private final Optional<Path> config;
  private final Function<String, Optional<String>> values;

  private StartSettings(Optional<Path> config, Function<String, Optional<String>> values) {
    this.config = config;
    this.values = values;
  }

  /**
   * Reads system properties, the environment and a file.
   *
   * @param named the file that the command names; nothing: that of {@code weir.config}, else {@code
   *     weir.properties} in the working directory
   * @return what they say
   * @throws InvalidSettingException if the file that is named isn't there, or can't be read
   */
  public static StartSettings read(Optional<Path> named) {
    Function<String, Optional<String>> outside = StartSettings::outside;
    Optional<Path> config = named.or(() -> outside.apply(CONFIG).map(StartSettings::path));
    if (config.isPresent() && !Files.isReadable(config.get())) {
      throw new InvalidSettingException("there is no file " + config.get() + " that can be read");
    }
    Properties file = file(config.orElse(Path.of("weir.properties")));
    return new StartSettings(
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

  /** The directory for what is kept in files. */
  private Path data() {
    String text = values.apply(ServerSettings.DATA).orElse("./weir-data");
    if (text.contains(";")) {
      throw new InvalidSettingException(ServerSettings.DATA + " can't have a semicolon");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException malformed) {
      throw new InvalidSettingException(ServerSettings.DATA + ": " + malformed.getMessage());
    }
  }

  /** Whether store or database are in that directory: false if others are named for both. */
  private boolean needsData() {
    return values.apply(STORE).isEmpty() || values.apply(RULES).isEmpty();
  }

  /**
   * What the limiter is to be told on top of what it reads by itself. Makes the directory for data
   * if that is needed.
   *
   * @return settings by their full names
   * @throws InvalidSettingException if there can't be such a directory
   */
  public Map<String, String> onTop() {
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
    if (values.apply(RULES).isEmpty()) {
      settings.put(RULES, "jdbc:h2:file:" + data.resolve(DataDirectory.RULES));
    }
    return settings;
  }

  /** A store's address is a URI, and directories may have blanks and whatever else. */
  private static String address(Path directory) {
    try {
      return new URI("rocksdb", directory.toString(), null).toString();
    } catch (URISyntaxException malformed) {
      throw new InvalidSettingException(ServerSettings.DATA + ": " + malformed.getMessage());
    }
  }
}
