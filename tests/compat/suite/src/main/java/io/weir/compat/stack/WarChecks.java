package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.jaxrs.server.Await;
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

  /** Payara colors the level. */
  private static final Pattern COLOR = Pattern.compile("\u001B\\[[0-9;]*m");

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
  private int logged;

  private final WarMaker wars;
  private final Starter starter;

  /** Makes the war. */
  @FunctionalInterface
  protected interface WarMaker {
    /**
     * Makes it.
     *
     * @param settings parameters of the application
     * @return a war with {@link CheckedResources} or {@link CheckedServlets}
     * @throws Exception if it can't be made
     */
    WarFile war(Map<String, String> settings) throws Exception;
  }

  /** Starts a server. */
  @FunctionalInterface
  protected interface Starter {
    /**
     * Starts it.
     *
     * @param war what it will deploy
     * @return a server that has deployed nothing yet
     * @throws Exception if it can't start
     */
    WarServer start(WarFile war) throws Exception;
  }

  /**
   * Checks a war on a server.
   *
   * @param wars makes the war
   * @param starter starts the server
   */
  protected WarChecks(WarMaker wars, Starter starter) {
    this.wars = wars;
    this.starter = starter;
  }

  @BeforeAll
  void start() throws Exception {
    WarFile war = wars.war(SETTINGS).add(UnlimitedBean.class);
    libraries = war.libraries();
    server = starter.start(war);
    logged = server.log().size();
    client = new StackClient(server.start(), false);
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

  /** Some servers log, or load servlets, after they have reported the end of the deployment. */
  @Test
  void warnsOfNothingButTheClassThatNothingLimits() throws Exception {
    List<String> warnings = Await.last(this::warnings, each -> !each.isEmpty());
    assertEquals(1, warnings.size(), warnings::toString);
    String expected = "The annotations of " + UnlimitedBean.class.getName() + " limit nothing";
    assertTrue(warnings.get(0).contains(expected), warnings::toString);
  }

  private List<String> warnings() {
    List<String> log = server.log();
    return warnings(log.subList(logged, log.size()), "io.weir");
  }

  /** Finds lines of records with a level above information that name a text. */
  private static List<String> warnings(List<String> log, String name) {
    List<String> found = new ArrayList<>();
    boolean warning = false;
    for (String line : log) {
      Matcher level = LEVEL.matcher(COLOR.matcher(line).replaceAll(""));
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
