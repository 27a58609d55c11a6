package io.weir.compat.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that Grafana can read the dashboards, as far as that can be known without one. */
class DashboardsTest {
  private static final int COLUMNS = 24;
  private static final Path SOURCES = Path.of("src/test/node/dashboards");
  private static final Path INSTALLED = Path.of("target/node/dashboards");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-z]+)}?");

  @Test
  void thereIsADashboardForEachSubject() {
    assertEquals(
        Set.of("overview.json", "policy.json", "regions.json", "server.json", "store.json"),
        Deployed.dashboards().keySet());
    Set<String> uids = new TreeSet<>();
    Deployed.dashboards().values().forEach(each -> uids.add(each.path("uid").asText()));
    assertEquals(5, uids.size(), "an import replaces the dashboard of the same uid");
  }

  @Test
  void everyVariableIsDefinedAndUsed() {
    Deployed.dashboards()
        .forEach(
            (name, dashboard) -> {
              Set<String> defined = new TreeSet<>();
              dashboard
                  .path("templating")
                  .path("list")
                  .forEach(each -> defined.add(each.path("name").asText()));
              Set<String> used =
                  VARIABLE
                      .matcher(dashboard.toString())
                      .results()
                      .map(each -> each.group(1))
                      .collect(Collectors.toCollection(TreeSet::new));
              assertEquals(defined, used, name);
            });
  }

  @Test
  void everyPanelSaysWhatItShowsAndHasAPlaceOfItsOwn() {
    Deployed.dashboards()
        .forEach(
            (name, dashboard) -> {
              Set<String> taken = new TreeSet<>();
              Set<Integer> ids = new TreeSet<>();
              for (JsonNode panel : dashboard.path("panels")) {
                String text = name + ": " + panel.path("title").asText();
                assertTrue(ids.add(panel.path("id").asInt()), text);
                assertFalse(panel.path("title").asText().isBlank(), text);
                assertFalse(panel.path("description").asText().isBlank(), text);
                assertPlaced(panel.path("gridPos"), taken, text);
              }
            });
  }

  private static void assertPlaced(JsonNode place, Set<String> taken, String text) {
    int right = place.path("x").asInt() + place.path("w").asInt();
    assertTrue(right <= COLUMNS, text);
    for (int x = place.path("x").asInt(); x < right; x++) {
      for (int y = 0; y < place.path("h").asInt(); y++) {
        assertTrue(taken.add(x + "," + (place.path("y").asInt() + y)), text);
      }
    }
  }

  @Test
  void grafanasOwnTypesAcceptThem() throws IOException {
    install();
    StringBuilder source = new StringBuilder(Files.readString(SOURCES.resolve("types.ts")));
    for (Map.Entry<String, JsonNode> each : Deployed.dashboards().entrySet()) {
      source
          .append("export const ")
          .append(each.getKey().replace(".json", ""))
          .append(": WeirDashboard = ")
          .append(each.getValue().toPrettyString())
          .append(";\n");
    }
    assertEquals("", compile(source.toString()));
    String misspelt = source.toString().replaceFirst("\"lineWidth\"", "\"linewidth\"");
    assertTrue(compile(misspelt).contains("linewidth"), "a mistake is noticed");
  }

  private static String compile(String source) throws IOException {
    Files.writeString(INSTALLED.resolve("check.ts"), source);
    return Programs.run(
            INSTALLED,
            "node",
            "node_modules/typescript/bin/tsc",
            "--noEmit",
            "--strict",
            "--skipLibCheck",
            "--target",
            "es2022",
            "--module",
            "nodenext",
            "check.ts")
        .output();
  }

  private static void install() throws IOException {
    RequiredPrograms.assumePresent("node", "npm");
    Files.createDirectories(INSTALLED);
    Files.copy(
        SOURCES.resolve("package.json"),
        INSTALLED.resolve("package.json"),
        StandardCopyOption.REPLACE_EXISTING);
    List<Path> packages =
        List.of(
            INSTALLED.resolve("node_modules/typescript/bin/tsc"),
            INSTALLED.resolve("node_modules/@grafana/schema/package.json"));
    if (!packages.stream().allMatch(Files::exists)) {
      Programs.run(INSTALLED, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts");
    }
    RequiredPrograms.assumePresent(
        packages.stream().allMatch(Files::exists), "@grafana/schema and typescript from npm");
  }
}
