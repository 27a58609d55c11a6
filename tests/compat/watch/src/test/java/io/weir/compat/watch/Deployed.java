package io.weir.compat.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads the dashboards, the alerts and the page about them. */
final class Deployed {
  static final Path ALERTS = Path.of("../../../deploy/prometheus/alerts.yml");
  static final Path DASHBOARDS = Path.of("../../../deploy/grafana");

  private static final Path PAGE = Path.of("../../../docs/operations.md");
  private static final ObjectMapper JSON = new ObjectMapper();

  private Deployed() {}

  /**
   * A rule that Prometheus evaluates.
   *
   * @param name of the alert, or of the series that it records
   * @param isAlert false for a recording rule
   * @param severity empty for a recording rule
   */
  record RuleOfPrometheus(
      String name, boolean isAlert, String expression, String duration, String severity) {}

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  static Object yaml(Path file) {
    return new Load(LoadSettings.builder().build()).loadFromString(read(file));
  }

  /** Returns the dashboards by the names of their files. */
  static Map<String, JsonNode> dashboards() {
    Map<String, JsonNode> all = new TreeMap<>();
    try (Stream<Path> files = Files.list(DASHBOARDS)) {
      for (Path each : files.toList()) {
        all.put(each.getFileName().toString(), JSON.readTree(each.toFile()));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return all;
  }

  /** Returns the queries of a dashboard's panels. */
  static List<JsonNode> targets(JsonNode dashboard) {
    List<JsonNode> all = new ArrayList<>();
    dashboard.path("panels").forEach(panel -> panel.path("targets").forEach(all::add));
    return all;
  }

  static List<RuleOfPrometheus> rules() {
    List<RuleOfPrometheus> all = new ArrayList<>();
    Map<?, ?> file = (Map<?, ?>) yaml(ALERTS);
    for (Object group : (List<?>) file.get("groups")) {
      for (Object rule : (List<?>) ((Map<?, ?>) group).get("rules")) {
        all.add(rule((Map<?, ?>) rule));
      }
    }
    return all;
  }

  private static RuleOfPrometheus rule(Map<?, ?> rule) {
    boolean isAlert = rule.containsKey("alert");
    Map<?, ?> labels = isAlert ? (Map<?, ?>) rule.get("labels") : Map.of();
    return new RuleOfPrometheus(
        (String) rule.get(isAlert ? "alert" : "record"),
        isAlert,
        (String) rule.get("expr"),
        rule.containsKey("for") ? (String) rule.get("for") : "",
        labels.containsKey("severity") ? (String) labels.get("severity") : "");
  }

  static String page() {
    return read(PAGE);
  }

  /** Returns the only block of a language on the page. */
  static String block(String language, String part) {
    Matcher block =
        Pattern.compile("^```" + language + "\\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(page());
    while (block.find()) {
      if (block.group(1).contains(part)) {
        return block.group(1);
      }
    }
    throw new AssertionError("the page has no " + language + " with " + part);
  }

  /** Returns the queries of the page. A line that begins with blanks continues the one before. */
  static List<String> questions() {
    return block("promql", "")
        .replaceAll("\n +", " ")
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }
}
