package io.weir.compat.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.compat.redis.Await;
import io.weir.seeds.DeepOnly;
import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that dashboards, alerts and the page read what a server and an application measure. */
class MetricsInUseTest {
  /** The labels that Prometheus adds to each series. */
  private static final Set<String> ADDED = Set.of("job", "instance");

  private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");
  private static final Pattern VARIABLE =
      Pattern.compile("label_values\\((\\w+)(?:\\{.*})?, (\\w+)\\)");

  @TempDir private static Path folder;
  private static WatchedRun run;
  private static Scrape scrape;

  @BeforeAll
  static void start() {
    run = new WatchedRun();
    run.decideAll();
    scrape = run.scrape();
  }

  @AfterAll
  static void stop() {
    if (run != null) {
      run.close();
    }
  }

  private static List<Query> all() {
    List<Query> all = new ArrayList<>();
    Deployed.dashboards()
        .forEach(
            (name, dashboard) ->
                Deployed.targets(dashboard)
                    .forEach(each -> all.add(new Query(name, each.path("expr").asText()))));
    Deployed.rules().forEach(each -> all.add(new Query(each.name(), each.expression())));
    Deployed.questions().forEach(each -> all.add(new Query("docs/operations.md", each)));
    return all;
  }

  private static Set<String> labels(Query query) {
    Set<String> labels = new TreeSet<>(ADDED);
    query.metrics().forEach(metric -> labels.addAll(scrape.labels(metric).keySet()));
    if (query.text().contains("policy:weir_refused")) {
      labels.add("policy");
    }
    return labels;
  }

  @Test
  void everyMetricExists() {
    for (Query each : all()) {
      for (String metric : each.metrics()) {
        assertTrue(
            scrape.metrics().containsKey(metric),
            () -> each.origin() + " reads " + metric + ", which neither has: " + each.text());
      }
    }
  }

  @Test
  void everyLabelExistsAndHasTheValuesThatAreComparedWith() {
    for (Query each : all()) {
      Set<String> known = labels(each);
      each.groupings().forEach(label -> assertTrue(known.contains(label), () -> label + each));
      each.matchers()
          .forEach(
              (metric, matchers) ->
                  matchers.stream()
                      .filter(one -> !ADDED.contains(one.label()))
                      .forEach(one -> assertCompared(each, metric, one)));
    }
  }

  private static void assertCompared(Query query, String metric, Query.LabelMatcher one) {
    Set<String> values = scrape.labels(metric).getOrDefault(one.label(), Set.of());
    assertTrue(!values.isEmpty(), () -> metric + " has no label " + one.label() + ": " + query);
    for (String value : one.values()) {
      assertTrue(
          values.contains(value),
          () -> metric + " has no " + one.label() + " " + value + ": " + query);
    }
  }

  @Test
  void everyLegendNamesALabelOfItsQuery() {
    Deployed.dashboards()
        .forEach(
            (name, dashboard) -> {
              for (JsonNode target : Deployed.targets(dashboard)) {
                Query query = new Query(name, target.path("expr").asText());
                Set<String> kept = query.groupings().isEmpty() ? labels(query) : query.groupings();
                LEGEND
                    .matcher(target.path("legendFormat").asText())
                    .results()
                    .map(each -> each.group(1))
                    .forEach(
                        label -> assertTrue(kept.contains(label), () -> label + " of " + query));
              }
            });
  }

  @Test
  void everyVariableListsTheLabelOfAMetric() {
    Deployed.dashboards()
        .forEach(
            (name, dashboard) -> {
              for (JsonNode each : dashboard.path("templating").path("list")) {
                if (each.path("type").asText().equals("query")) {
                  MatchResult values =
                      VARIABLE
                          .matcher(each.path("query").path("query").asText())
                          .results()
                          .findFirst()
                          .orElseThrow(() -> new AssertionError(name + ": " + each));
                  Set<String> labels = new TreeSet<>(ADDED);
                  labels.addAll(scrape.labels(values.group(1)).keySet());
                  assertTrue(scrape.metrics().containsKey(values.group(1)), values.group(1));
                  assertTrue(labels.contains(values.group(2)), values.group(2));
                }
              }
            });
  }

  @Test
  void everyMetricOfThePageExists() {
    String page = Deployed.page();
    String metrics =
        page.substring(page.indexOf("\n## Metrics"), page.indexOf("\n### Prometheus and Grafana"));
    Set<String> named =
        Pattern.compile("^\\| `(weir\\.[a-z.]+)` \\|", Pattern.MULTILINE)
            .matcher(metrics)
            .results()
            .map(each -> each.group(1).replace('.', '_'))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(13, named.size(), named.toString());
    for (String each : named) {
      assertTrue(
          Stream.of("", "_total", "_seconds", "_seconds_count")
              .anyMatch(suffix -> scrape.metrics().containsKey(each + suffix)),
          each);
    }
  }

  @Test
  void noMetricNamesACaller() {
    scrape
        .metrics()
        .forEach(
            (metric, labels) ->
                labels.forEach(
                    (label, values) ->
                        assertTrue(
                            values.stream().noneMatch(value -> value.contains("alice")),
                            () -> metric + " " + label)));
  }

  @Test
  void everyQueryGivesSeriesInARealPrometheus() throws IOException {
    RequiredPrograms.assumePresent("prometheus");
    try (PrometheusServer prometheus = new PrometheusServer(folder, configuration())) {
      awaitSamples(prometheus, 5);
      assertRulesAreEvaluated(prometheus);
      for (Query each : all()) {
        String filled = each.filled(WatchedRun.POLICY);
        // Some read what the rules record, which is there only after an evaluation.
        Await.until("there are series of " + each, () -> hasSeries(prometheus, filled));
      }
      assertVariablesHaveValues(prometheus);
    }
  }

  /** Draws what the dashboards show of half a minute, for somebody to look at. */
  @Test
  @DeepOnly
  void theDashboardsCanBeDrawn(@TempDir Path empty) throws IOException {
    RequiredPrograms.assumePresent("prometheus");
    Path pictures = Path.of("target/pictures");
    try (PrometheusServer prometheus = new PrometheusServer(empty, configuration())) {
      int seconds = 30;
      awaitSamples(prometheus, 4 * seconds);
      Picture picture = new Picture(prometheus, Instant.now().getEpochSecond(), seconds);
      for (Map.Entry<String, JsonNode> each : Deployed.dashboards().entrySet()) {
        Path file = pictures.resolve(each.getKey().replace(".json", ".png"));
        picture.draw(each.getValue(), file);
        assertTrue(Files.size(file) > 0, file.toString());
      }
    }
  }

  /** The configuration on the page, with the addresses, files and intervals of this run. */
  private static String configuration() throws IOException {
    Path token = folder.resolve("token");
    Files.writeString(token, run.metricsToken());
    return Deployed.block("yaml", "scrape_configs")
        .replace("scrape_interval: 15s", "scrape_interval: 250ms\n  evaluation_interval: 250ms")
        .replace("/etc/prometheus/weir/alerts.yml", Deployed.ALERTS.toRealPath().toString())
        .replace("/etc/prometheus/weir/token", token.toString())
        .replace("\"shop-1:8080\", \"shop-2:8080\"", '"' + run.applicationAddress() + '"')
        .replace("weir-1:8070", run.serverAddress());
  }

  /** Goes on with requests until each target was read often enough to see them rise. */
  private static void awaitSamples(PrometheusServer prometheus, int samples) {
    Await.until(
        "Prometheus has read both",
        () -> {
          run.request();
          return prometheus
                  .query("count_over_time(weir_decision_time_seconds_count[2m]) >= " + samples)
                  .size()
              == 2;
        });
  }

  /** Whether a query finds something; else goes on with requests. */
  private static boolean hasSeries(PrometheusServer prometheus, String query) {
    if (prometheus.query(query).isEmpty()) {
      run.request();
      return false;
    }
    return true;
  }

  private static void assertRulesAreEvaluated(PrometheusServer prometheus) {
    Await.until(
        "all rules are evaluated",
        () ->
            rules(prometheus).size() == Deployed.rules().size()
                && rules(prometheus).stream()
                    .allMatch(each -> each.path("health").asText().equals("ok")));
  }

  private static List<JsonNode> rules(PrometheusServer prometheus) {
    return StreamSupport.stream(
            prometheus.get("/api/v1/rules").path("data").path("groups").spliterator(), false)
        .flatMap(group -> StreamSupport.stream(group.path("rules").spliterator(), false))
        .toList();
  }

  private static void assertVariablesHaveValues(PrometheusServer prometheus) {
    for (String label : List.of("job", "instance", "policy")) {
      List<String> values = new ArrayList<>();
      prometheus
          .get(
              "/api/v1/label/"
                  + label
                  + "/values?match[]=weir_decisions_total".replace("[]", "%5B%5D"))
          .path("data")
          .forEach(each -> values.add(each.asText()));
      assertTrue(values.size() >= 2, label + values);
    }
  }
}
