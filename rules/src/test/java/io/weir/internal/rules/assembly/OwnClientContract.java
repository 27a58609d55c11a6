package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.callers.CallerId;
import io.weir.rules.SwitchState;
import io.weir.spi.ModuleSetting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of changes by the database's own client, in its own process, while two nodes run
 * that only a setting has switched on. Prints how long each change took until it held on both.
 */
abstract class OwnClientContract {
  private static final long PATIENCE_SECONDS = 60;

  private final List<DefaultRules> nodes = new ArrayList<>();

  /** The value of {@code weir.rules}. */
  abstract String address();

  /** The command that runs a statement. */
  abstract List<String> client(String statement) throws IOException;

  /** A client in Java, as every H2 has it; it opens other databases too. */
  static List<String> shell(String url, String user, String password, String statement) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        "org.h2.tools.Shell",
        "-url",
        url,
        "-user",
        user,
        "-password",
        password,
        "-sql",
        statement);
  }

  @BeforeEach
  void start() {
    Map<String, String> settings = new HashMap<>();
    new RulesSettings()
        .settings()
        .forEach((ModuleSetting each) -> settings.put(each.name(), each.defaultValue()));
    settings.put(RulesSettings.DATABASE.name(), address());
    settings.put(RulesSettings.TIMEOUT.name(), "10s");
    nodes.add(RulesProvider.rules(settings::get));
    nodes.add(RulesProvider.rules(settings::get));
  }

  @AfterEach
  void stop() {
    nodes.forEach(DefaultRules::close);
  }

  private void run(String statement) throws IOException, InterruptedException {
    Process client = new ProcessBuilder(client(statement)).redirectErrorStream(true).start();
    client.getOutputStream().close();
    String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "the client hangs");
    assertEquals(0, client.exitValue(), said);
  }

  /** Runs a statement, and waits until it holds on both nodes. */
  private void run(String statement, Callable<Boolean> first, Callable<Boolean> second)
      throws IOException, InterruptedException {
    run(statement);
    long start = System.nanoTime();
    RulesContract.await(statement, first);
    RulesContract.await(statement, second);
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.println(millis + " ms after the client's end on both nodes: " + statement);
  }

  private void awaitLimits(String statement, Long... limits) throws Exception {
    run(
        statement,
        () -> RulesContract.limits(nodes.get(0), "/api/posts").equals(List.of(limits)),
        () -> RulesContract.limits(nodes.get(1), "/api/posts").equals(List.of(limits)));
  }

  @Test
  void aRuleThatTheClientWritesHoldsOnBothNodes() throws Exception {
    awaitLimits(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
            + " VALUES ('free', '/api/*', 10, 60)",
        10L);
    awaitLimits("UPDATE weir.rate_limit_rules SET limit_count = 20", 20L);
    awaitLimits("DELETE FROM weir.rate_limit_rules");
  }

  private static Optional<String> tier(DefaultRules node) {
    return node.callers()
        .find(CallerId.user("alice"))
        .toCompletableFuture()
        .join()
        .tier(Instant.now().toEpochMilli() * 1_000);
  }

  private void awaitTier(String statement, Optional<String> tier) throws Exception {
    run(statement, () -> tier(nodes.get(0)).equals(tier), () -> tier(nodes.get(1)).equals(tier));
  }

  /** Both nodes know her before, so what they know has to go. */
  @Test
  void aTierThatTheClientWritesHoldsOnBothNodes() throws Exception {
    assertEquals(Optional.empty(), tier(nodes.get(0)));
    assertEquals(Optional.empty(), tier(nodes.get(1)));
    awaitTier(
        "INSERT INTO weir.user_tiers (user_id, tier) VALUES ('alice', 'premium')",
        Optional.of("premium"));
    awaitTier("UPDATE weir.user_tiers SET tier = 'enterprise'", Optional.of("enterprise"));
    awaitTier("DELETE FROM weir.user_tiers", Optional.empty());
  }

  private static Optional<SwitchState> state(DefaultRules node) {
    return node.rulebook().switchOf("search", Instant.now().toEpochMilli() * 1_000);
  }

  private void awaitSwitch(String statement, Optional<SwitchState> state) throws Exception {
    run(
        statement,
        () -> state(nodes.get(0)).equals(state),
        () -> state(nodes.get(1)).equals(state));
  }

  /** As the page of rules writes it. */
  @Test
  void aSwitchThatTheClientWritesHoldsOnBothNodes() throws Exception {
    awaitSwitch(
        "INSERT INTO weir.switches (policy, state, until, reason, set_by) VALUES ('search', 'OFF',"
            + " CURRENT_TIMESTAMP + INTERVAL '2' HOUR, 'the launch', 'bob')",
        Optional.of(SwitchState.OFF));
    awaitSwitch("UPDATE weir.switches SET state = 'SHADOW'", Optional.of(SwitchState.SHADOW));
    awaitSwitch("DELETE FROM weir.switches", Optional.empty());
  }
}
