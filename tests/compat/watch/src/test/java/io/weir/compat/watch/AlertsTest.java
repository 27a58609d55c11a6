package io.weir.compat.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.watch.Deployed.RuleOfPrometheus;
import io.weir.seeds.RequiredPrograms;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests when alerts fire, and that the page describes them as they are. */
class AlertsTest {
  private static final Path TIMETABLE = Path.of("src/test/prometheus/alerts-test.yml");

  @Test
  void alertsFireWhenTheyShould() {
    RequiredPrograms.assumePresent("promtool");
    Programs.Ended test = Programs.run(Path.of("."), "promtool", "test", "rules", "" + TIMETABLE);
    assertEquals(0, test.status(), test.output());
  }

  @Test
  void everyAlertIsTriedBothFiringAndQuiet() {
    Set<String> firing = new TreeSet<>();
    Set<String> quiet = new TreeSet<>();
    Map<?, ?> timetable = (Map<?, ?>) Deployed.yaml(TIMETABLE);
    for (Object test : (List<?>) timetable.get("tests")) {
      for (Object each : (List<?>) ((Map<?, ?>) test).get("alert_rule_test")) {
        Map<?, ?> tried = (Map<?, ?>) each;
        (tried.containsKey("exp_alerts") ? firing : quiet).add((String) tried.get("alertname"));
      }
    }
    assertEquals(names(), firing);
    assertEquals(names(), quiet);
  }

  private static List<RuleOfPrometheus> alerts() {
    return Deployed.rules().stream().filter(RuleOfPrometheus::isAlert).toList();
  }

  private static Set<String> names() {
    return alerts().stream()
        .map(RuleOfPrometheus::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void thePageHasEachAlertWithDurationAndSeverity() {
    Map<String, String> page = new TreeMap<>();
    Pattern.compile("^\\| `(Weir\\w+)` \\| [^|]+ \\| ([^|]+) \\| (\\w+) \\|", Pattern.MULTILINE)
        .matcher(Deployed.page())
        .results()
        .forEach(each -> page.put(each.group(1), each.group(2) + ", " + each.group(3)));
    Map<String, String> file = new TreeMap<>();
    for (RuleOfPrometheus each : alerts()) {
      String duration =
          each.duration().isEmpty() ? "at once" : each.duration().replaceFirst("m$", " min");
      file.put(each.name(), duration + ", " + each.severity());
    }
    assertEquals(file, page);
  }

  @Test
  void everyAlertIsOfASeverityThatThePageKnows() {
    for (RuleOfPrometheus each : alerts()) {
      assertTrue(Set.of("critical", "warning").contains(each.severity()), each.toString());
    }
  }
}
