package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Other modules live by the API, as users do. Some look inside, and are named here and in
 * ARCHITECTURE.
 *
 * <p>How this works: it reads the sources of all other modules for names below {@code
 * io.weir.internal}.
 */
class OtherModulesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern INSIDE =
      Pattern.compile("\\bio\\.weir\\.internal\\.((?:[a-z0-9]+\\.)*[A-Z]\\w*)");

  /**
   * What modules that are built with the runtime may share with it: how threads are made and
   * settings are read.
   */
  private static final List<String> SHARED = List.of("threads.", "value.");

  private static final List<String> SHARING = List.of("rules", "stores/", "control", "server");

  /** What else may be named where: a package, or a type. */
  private static final Map<String, List<String>> ALLOWED =
      Map.ofEntries(
          // A decision's stamp, by which the simulation follows each permit; what a header
          // field's lines are, for the fake request.
          Map.entry("testkit/src/main", List.of("permits.RequestDecision", "key.HeaderValues")),
          Map.entry("testkit/src/test", List.of("permits.RequestDecision")),
          // Whether the thread knows its request is what no response tells.
          Map.entry("compat/suite", List.of("guard.CurrentRequest")),
          Map.entry("compat/aspectj-ltw", List.of("guard.CurrentRequest", "guard.WeirRuntime")),
          // The scripts, connections and addresses themselves are tested against a real Redis.
          Map.entry("compat/redis", List.of("redis.")),
          // Guards without any adapter, where the class path has none of the libraries.
          Map.entry(
              "compat/bare",
              List.of("guard.GuardedEndpoint", "guard.WeirRuntime", "policy.EndpointKind")),
          // Its own rooms, which nobody else names.
          Map.entry("rules", List.of("rules.")),
          Map.entry("stores/rocksdb", List.of("rocksdb.")),
          Map.entry("stores/cassandra", List.of("cassandra.")),
          // Requests past rules without any adapter.
          Map.entry("rules/src/test", List.of("guard.", "http.Refusal", "policy.EndpointKind")),
          // Its own rooms; settings, time and the wire format of the Weir that it is given; rows as
          // the tables have them.
          Map.entry(
              "control",
              List.of(
                  "control.",
                  "guard.WeirRuntime",
                  "http.",
                  "rules.database.",
                  "rules.rulebook.RuleColumns",
                  "rules.rulebook.UserColumns")),
          // Its own rooms; what decides for all protocols alike, where browsers reach them, and which
          // names users may have; how long bodies and exchanges may be, and what Jersey must not
          // log.
          Map.entry(
              "server",
              List.of(
                  "server.",
                  "guard.WeirRuntime",
                  "control.access.Callers",
                  "control.access.OwnSite",
                  "control.decide.",
                  "control.http.BodyReader",
                  "control.http.BoundedExchange",
                  "control.http.FormWarnings",
                  "control.json.")),
          // Parts are measured by themselves.
          Map.entry("benchmarks", List.of("")));

  @Test
  void nameTypesOfTheApiAloneUnlessTheyAreListed() throws IOException {
    Set<String> wrong = new TreeSet<>();
    for (Path source : sources()) {
      String module = ROOT.relativize(source).toString().replace('\\', '/');
      for (String type : insideTypes(Files.readString(source))) {
        if (!isAllowed(module, type)) {
          wrong.add(module + " names io.weir.internal." + type);
        }
      }
    }
    assertEquals(Set.of(), wrong);
  }

  @Test
  void wereAllRead() throws IOException {
    assertTrue(sources().size() > 300, "only " + sources().size() + " sources");
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all.filter(path -> path.toString().endsWith(".java"))
          .filter(path -> !path.startsWith(ROOT.resolve("runtime")))
          .filter(path -> !path.toString().contains("target"))
          .toList();
    }
  }

  private static Set<String> insideTypes(String source) {
    Set<String> types = new TreeSet<>();
    Matcher matcher = INSIDE.matcher(source);
    while (matcher.find()) {
      types.add(matcher.group(1));
    }
    return types;
  }

  private static boolean isAllowed(String source, String type) {
    if (SHARING.stream().anyMatch(source::startsWith)
        && SHARED.stream().anyMatch(type::startsWith)) {
      return true;
    }
    return ALLOWED.entrySet().stream()
        .filter(each -> source.startsWith(each.getKey()))
        .anyMatch(each -> each.getValue().stream().anyMatch(type::startsWith));
  }
}
