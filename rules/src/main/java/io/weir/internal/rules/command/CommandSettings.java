package io.weir.internal.rules.command;

import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.database.connection.DatabaseSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * Reads the settings of a command from system properties, the environment, and {@code
 * weir.properties} in the working directory or where {@code weir.config} says, in that order.
 */
final class CommandSettings {
  static final String USUAL_DATABASE = "jdbc:h2:file:./weir-rules";

  private final Properties system;
  private final Map<String, String> environment;
  private final Properties file = new Properties();

  private CommandSettings(Properties system, Map<String, String> environment) {
    this.system = system;
    this.environment = environment;
  }

  static CommandSettings read(Properties system, Map<String, String> environment)
      throws IOException {
    CommandSettings settings = new CommandSettings(system, environment);
    Path file = Path.of(settings.find("weir.config").orElse("weir.properties"));
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        settings.file.load(reader);
      }
    }
    return settings;
  }

  DatabaseSettings database() {
    return new DatabaseSettings(
        find("weir.rules").orElse(USUAL_DATABASE),
        find("weir.rules.user").orElse(""),
        find("weir.rules.password").orElse(""),
        DatabaseSettings.USUAL_POOL,
        DatabaseSettings.USUAL_PATIENCE);
  }

  SchemaName schema() {
    return find("weir.rules.schema").map(SchemaName::new).orElse(SchemaName.USUAL);
  }

  Set<String> owners() {
    return DatabaseOpener.owners(find("weir.rules.owners").orElse(""));
  }

  /** Returns whether commands that change rows may also create and migrate tables. */
  boolean mayMigrate() {
    return !find("weir.rules.migrate").orElse("true").equalsIgnoreCase("false");
  }

  /** Returns the schema of tables that Weir didn't make; empty: those of the search path. */
  Optional<String> tables() {
    return find("weir.rules.tables");
  }

  private Optional<String> find(String name) {
    return Optional.ofNullable(system.getProperty(name))
        .or(
            () ->
                Optional.ofNullable(
                    environment.get(name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"))))
        .or(() -> Optional.ofNullable(file.getProperty(name)))
        .map(String::strip)
        .filter(value -> !value.isEmpty());
  }
}
