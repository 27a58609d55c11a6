package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.stack.StackClient.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Checks of a deployed war beside those of {@link StackChecks}: what it brings, what the server
 * logs, and that parameters of the application are settings.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class WarChecks {
  private static final Pattern LEVEL =
      Pattern.compile("\\b(TRACE|DEBUG|FINE|INFO|AUDIT|WARN|WARNING|ERROR|SEVERE|FATAL)\\b");

  /** Two permits for endpoints that have no policy, and a third for the application as a whole. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "weir.default.limit", "2",
          "weir.default.window", "1m",
          "weir.application.limit", "3",
          "weir.application.window", "1m");

  private WarServer server;
  private List<String> libraries;
  private StackClient client;
  private List<String> deployment;

  /** For subclasses. */
  protected WarChecks() {}

  /**
   * Makes the war.
   *
   * @param settings parameters of the application
   * @return a war with {@link CheckedResources} or {@link CheckedServlets}
   * @throws Exception if it can't be made
   */
  protected abstract WarFile war(Map<String, String> settings) throws Exception;

  /**
   * Starts a server.
   *
   * @param war what it will deploy
   * @return a server that has deployed nothing yet
   * @throws Exception if it can't start
   */
  protected abstract WarServer newServer(WarFile war) throws Exception;

  @BeforeAll
  void start() throws Exception {
    WarFile war = war(SETTINGS);
    libraries = war.libraries();
    server = newServer(war);
    int before = server.log().size();
    client = new StackClient(server.start(), false);
    List<String> log = server.log();
    deployment = log.subList(before, log.size());
  }

  @AfterAll
  void end() {
    server.close();
  }

  @Test
  void bringsWeirAndWhatItNeedsAndNothingOfTheServer() {
    List<String> others =
        libraries.stream()
            .filter(
                each ->
                    !each.matches("(weir-|caffeine-|ipaddress-|jspecify-|error_prone_|module-).*"))
            .toList();
    assertEquals(List.of(), others);
    assertTrue(libraries.size() >= 4, libraries::toString);
  }

  @Test
  void deploysWithoutAWarningAboutWeir() {
    assertEquals(List.of(), warnings(deployment, "io.weir"));
  }

  /** Finds lines of records with a level above information that name a text. */
  private static List<String> warnings(List<String> log, String name) {
    List<String> found = new ArrayList<>();
    boolean warning = false;
    for (String line : log) {
      Matcher level = LEVEL.matcher(line);
      if (level.find()) {
        warning = level.group().matches("WARN.*|ERROR|SEVERE|FATAL");
      }
      if (warning && line.contains(name)) {
        found.add(line);
      }
    }
    return found;
  }

  @Test
  void limitsEndpointsWithoutPoliciesByParametersOfTheApplication() throws Exception {
    Caller caller = Caller.at("203.0.113.1");
    List<Reply> replies = client.get(3, "/free", caller);
    assertEquals(List.of(200, 200, 429), replies.stream().map(Reply::status).toList());
    assertEquals("2", replies.get(0).field("X-RateLimit-Limit").orElse("none"));
  }

  @Test
  void limitsTheWholeApplicationByItsParameters() throws Exception {
    Caller caller = Caller.at("203.0.113.2");
    client.get(2, "/ip", caller);
    client.get(1, "/mapped", caller);
    Reply refusal = client.get("/free", caller);
    assertEquals(429, refusal.status());
    assertTrue(refusal.body().contains("application"), refusal.body());
  }
}
