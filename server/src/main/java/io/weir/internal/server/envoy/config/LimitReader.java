package io.weir.internal.server.envoy.config;

import io.weir.Policy;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the {@code rate_limit} of a descriptor. Confine to one thread. */
final class LimitReader {
  private static final Set<String> LIMIT =
      YamlFile.fieldNames("unit", "requests_per_unit", "unlimited", "name", "replaces");
  private static final Set<String> REPLACED = YamlFile.fieldNames("name");

  private final YamlFile yaml;
  private final Node node;

  LimitReader(YamlFile yaml, Node node) {
    this.yaml = yaml;
    this.node = node;
  }

  /**
   * Reads name, number and unit into the parts of a limit; returns false if there was a mistake,
   * which the file has recorded.
   */
  boolean read(EnvoyLimit.Builder parts) {
    Map<String, Node> fields = yaml.fields(node, "rate_limit", LIMIT);
    parts.name = yaml.text(fields, "name");
    parts.unlimited = yaml.flag(fields, "unlimited");
    replaces(fields, parts);
    String unit = yaml.text(fields, "unit");
    if (parts.unlimited) {
      if (!unit.isEmpty()) {
        yaml.mistake(node, "unit and unlimited can't be combined");
      }
      return true;
    }
    parts.unit = RateUnit.of(unit).orElse(null);
    if (parts.unit == null) {
      yaml.mistake(node, "unit must be one of " + units() + ", not '" + unit + "'");
    }
    parts.permits = permits(fields);
    return parts.unit != null && parts.permits >= 0;
  }

  private static String units() {
    return Arrays.stream(RateUnit.values()).map(RateUnit::text).collect(Collectors.joining(", "));
  }

  // Negative after a mistake.
  private long permits(Map<String, Node> fields) {
    String text = yaml.text(fields, "requests_per_unit");
    if (text.matches("[0-9]{1,10}") && Long.parseLong(text) <= Policy.MAX_LIMIT) {
      return Long.parseLong(text);
    }
    yaml.mistake(
        fields.getOrDefault("requests_per_unit", node),
        "requests_per_unit must be 0 to 1,000,000,000, not '" + text + "'");
    return -1;
  }

  private void replaces(Map<String, Node> fields, EnvoyLimit.Builder parts) {
    for (Node each : yaml.list(fields, "replaces")) {
      String name = yaml.text(yaml.fields(each, "replaces", REPLACED), "name");
      if (name.isEmpty()) {
        yaml.mistake(each, "name is missing in replaces");
      } else if (name.equals(parts.name)) {
        yaml.mistake(each, "a limit can't replace itself");
      } else {
        parts.replaces.add(name);
      }
    }
  }
}
