package io.weir.quarkus;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.Config;

/**
 * Names the application of the rules by {@code quarkus.application.name}, where Quarkus'
 * configuration has rules that name no application.
 *
 * <p>Safe for concurrent use.
 */
final class ApplicationName implements Supplier<Map<String, String>> {
  private static final String OF_RULES = "weir.rules.application";

  private final Config config;

  ApplicationName(Config config) {
    this.config = config;
  }

  /** Returns the name as a setting; nothing if it isn't needed. */
  @Override
  public Map<String, String> get() {
    return text("weir.rules").isPresent() && text(OF_RULES).isEmpty()
        ? text("quarkus.application.name").map(name -> Map.of(OF_RULES, name)).orElse(Map.of())
        : Map.of();
  }

  private Optional<String> text(String name) {
    return config.getOptionalValue(name, String.class).filter(value -> !value.isBlank());
  }
}
