package io.weir.quarkus;

import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Names the application of the rules, unless they name it. */
final class ApplicationName {
  private static final String OF_RULES = "weir.rules.application";

  private ApplicationName() {}

  /**
   * Returns {@code quarkus.application.name} as a setting, where Quarkus' configuration has rules
   * that name no application.
   */
  static Map<String, String> ofRules() {
    Config config = ConfigProvider.getConfig();
    return isSet(config, "weir.rules") && !isSet(config, OF_RULES)
        ? text(config, "quarkus.application.name")
            .map(name -> Map.of(OF_RULES, name))
            .orElse(Map.of())
        : Map.of();
  }

  private static boolean isSet(Config config, String name) {
    return text(config, name).isPresent();
  }

  private static Optional<String> text(Config config, String name) {
    return config.getOptionalValue(name, String.class).filter(value -> !value.isBlank());
  }
}
