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
 * Other modules use only the API, as users do. The exceptions are listed here and in ARCHITECTURE.
 *
 * <p>How this works: it reads the sources of all other modules for names below {@code
 * io.weir.internal}.
 */
class OtherModulesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern INSIDE =
      Pattern.compile("\\bio\\.weir\\.internal\\.((?:[a-z0-9]+\\.)*[A-Z]\\w*)");

  /** The internal packages that all modules may use: threads, and their settings. */
  private static final List<String> SHARED = List.of("module.", "threads.", "value.");

  private static final List<String> SHARING = List.of("rules", "stores/", "control", "server");

  /** Further internal packages and types, by the module that may use them. */
  private static final Map<String, List<String>> ALLOWED =
      Map.ofEntries(
          // A decision's stamp, by which the simulation follows each permit; durations in messages.
          Map.entry("testkit/src/main", List.of("permits.RequestDecision", "value.DurationText")),
          Map.entry("testkit/src/test", List.of("permits.RequestDecision")),
          // Tests of the runtime that need the testkit.
          Map.entry("tests/simulation/src/test", List.of("")),
          // Whether a thread has a request, and what a process keeps of a Weir, can't be determined
          // from a response.
          Map.entry(
              "tests/compat/suite",
              List.of(
                  "guard.CurrentRequest",
                  "guard.GuardedRequest",
                  "application.WeirRuntime",
                  "engine.DefaultRateLimiter",
                  "policy.PolicyCatalog")),
          Map.entry("tests/compat/aspectj-ltw", List.of("guard.CurrentRequest", "application.")),
          // The jar that a redeployed application brings.
          Map.entry("tests/compat/tomcat10", List.of("postgres.PostgresProvider")),
          // The scripts, connections and addresses themselves are tested against a real Redis.
          Map.entry("tests/compat/redis", List.of("redis.")),
          // Guards without any adapter, where the class path has none of the libraries.
          Map.entry(
              "tests/compat/bare", List.of("guard.GuardedEndpoint", "application.WeirRuntime")),
          // Its own packages; what a misspelled name probably means.
          Map.entry("rules", List.of("rules.", "settings.NearestWord")),
          // Limits on classes, and woven methods, without reading any policy.
          Map.entry(
              "integrations/cdi", List.of("container.AnnotatedLimits", "container.HandlerClass")),
          // Woven methods.
          Map.entry("integrations/grpc", List.of("container.HandlerClass")),
          // Names of endpoints and paths, as on the other stacks with JAX-RS.
          Map.entry(
              "integrations/quarkus/runtime",
              List.of("container.HandlerClass", "container.JaxrsTemplate", "container.RawUri")),
          // Is implemented by proxies, which a native image must know.
          Map.entry("integrations/quarkus/deployment", List.of("rules.database.RuleDatabase")),
          // Variables: how they are spelled, and those of Kubernetes, which are no settings; limits
          // on classes.
          Map.entry(
              "integrations/micronaut",
              List.of(
                  "value.ServiceVariables", "value.VariableNames", "container.AnnotatedLimits")),
          // A name that shows that a driver came with Weir.
          Map.entry(
              "integrations/spring/core",
              List.of(
                  "value.ServiceVariables",
                  "value.VariableNames",
                  "cassandra.CassandraProvider",
                  // Suspend functions.
                  "container.HandlerClass")),
          // Its own packages, which no other module uses; what all stores share.
          Map.entry("stores/rocksdb", List.of("rocksdb.", "store.")),
          Map.entry("stores/cassandra", List.of("cassandra.", "store.")),
          // And jumps of the server's clock.
          Map.entry("stores/postgres", List.of("postgres.", "store.", "clock.ClockJumpDetector")),
          // Requests against rules without any adapter.
          Map.entry("rules/src/test", List.of("guard.", "application.")),
          // Its own packages; settings, time and the wire format of its Weir; what its next request
          // would get; rows of the tables;
          // which names of callers are digests; windows as rules write them; what a misspelled
          // field probably means.
          Map.entry(
              "control",
              List.of(
                  "control.",
                  // Tells people who ask which entry of an access list decides, or which ban.
                  "access.AccessFinding",
                  "ban.KeyText",
                  "application.WeirRuntime",
                  "guard.NextDecision",
                  "http.",
                  // What regions have counted of a bucket.
                  "region.RegionCount",
                  "rules.callers.CallerId",
                  "rules.database.",
                  "rules.rulebook.WindowText",
                  "rules.rulebook.column.RuleColumns",
                  "rules.rulebook.column.UserColumns",
                  "settings.NearestWord")),
          // Rules whose node reports more often than applications can set.
          Map.entry(
              "control/src/test",
              List.of("rules.assembly.", "rules.feed.RuleFeed", "rules.request.CallerSettings")),
          // Its own packages; the decisions behind all protocols, the hosts for browsers, the names
          // of users, the document of a session, the limits of bodies and exchanges, the log
          // filter of Jersey, and digests.
          Map.entry(
              "server",
              List.of(
                  "server.",
                  "access.AccessFinding",
                  "application.WeirRuntime",
                  "control.access.CallerName",
                  "control.access.ExpectedCaller",
                  "control.access.ServerOrigins",
                  "control.decide.",
                  "control.http.BoundedBodyReader",
                  "control.http.BoundedHttpClient",
                  "control.http.JerseyFormWarnings",
                  "control.http.Problem",
                  "control.json.",
                  "control.session.SessionDocument",
                  "rules.database.Sha256Digest")),
          // A server in the test's process, whose tables and store the test shares.
          Map.entry(
              "tests/compat/console",
              List.of("server.AdminTokenBootstrap", "server.WeirServer", "server.command.Main")),
          // The command line that a page shows, a server in the test's process, and the messages of
          // Envoy's protocol.
          Map.entry(
              "tests/compat/pages",
              List.of(
                  "rules.command.Main",
                  "server.AdminTokenBootstrap",
                  "server.WeirServer",
                  "server.envoy.proto.")),
          Map.entry(
              "tests/compat/watch", List.of("server.AdminTokenBootstrap", "server.WeirServer")),
          // Parts are measured separately.
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
