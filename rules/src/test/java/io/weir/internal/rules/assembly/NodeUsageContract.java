package io.weir.internal.rules.assembly;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.Weir;
import io.weir.adapter.Refusal;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.rules.Rule;
import io.weir.rules.tier.UserTier;
import io.weir.rules.usage.EndpointUsage;
import io.weir.rules.usage.Usage;
import io.weir.rules.usage.Violation;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Usage from requests to tables, over two nodes. */
abstract class NodeUsageContract {
  private static final Instant EARLY = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LATE = Instant.parse("2100-01-01T00:00:00Z");

  private final List<AutoCloseable> open = new ArrayList<>();
  private final IdentityHashMap<DefaultRules, WeirRuntime> applications = new IdentityHashMap<>();
  private DataSource source;
  private DefaultRules first;
  private DefaultRules second;

  abstract DataSource fresh();

  @BeforeEach
  void start() {
    source = fresh();
    first = node(() -> DatabaseOpener.open(source, true), Duration.ofMillis(200));
    second = node(() -> DatabaseOpener.open(source, true), Duration.ofMillis(200));
    first.rules().save(Rule.builder("free", "/api/*").limit(3).build(), "test");
    first.rules().save(Rule.builder("gold", "/api/*").limit(1_000).build(), "test");
    second.refresh();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  DefaultRules node(Supplier<RuleDatabase> database, Duration interval) {
    return node(
        database, new UsageOptions(true, interval, RetentionPeriods.USUAL, Duration.ofSeconds(4)));
  }

  private DefaultRules node(Supplier<RuleDatabase> database, UsageOptions usage) {
    DefaultRules node =
        DefaultRules.open(
            database,
            () -> {},
            new RulesOptions(
                CallerSettings::of,
                Duration.ofMillis(50),
                100,
                Optional.empty(),
                false,
                Duration.ofMillis(200),
                usage,
                RulesOptions.USUAL_ANOMALIES));
    Weir weir =
        Weir.builder()
            .settings(Map.of("weir.store.timeout", "10s"))
            .policySource(node.policySource())
            .build();
    open.add(weir);
    applications.put(node, WeirRuntime.of(weir));
    return node;
  }

  /** Sends requests of a user, and counts the admitted ones. */
  int send(DefaultRules node, String user, int number) {
    int admitted = 0;
    for (int i = 0; i < number; i++) {
      FakeRequest request = FakeRequest.from("192.0.2.1").endpoint("/api/posts/" + i).user(user);
      GuardedRequest guarded = applications.get(node).withoutClass().enter(request);
      Optional<Refusal> refusal = guarded.decide(BEFORE_AUTHENTICATION);
      if (refusal.isEmpty()) {
        refusal = guarded.decide(AFTER_AUTHENTICATION);
      }
      guarded.completed(refusal.isEmpty() ? 200 : 429);
      admitted += refusal.isEmpty() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void whatRequestsTookIsInTheTablesOfAllNodes() {
    assertEquals(3, send(first, "ann", 5));
    assertEquals(3, send(second, "ann", 4), "each node counts by itself here");
    Usage usage = first.usage();
    RulesContract.await("it is written", () -> usage.total("ann").requests() == 9);
    assertEquals(6, usage.total("ann").permits());
    assertEquals(3, usage.total("ann").refused());
    // A write may have come between the count of the last request and that of its refusal.
    RulesContract.await(
        "the refusals are written",
        () -> violations("ann").stream().mapToLong(Violation::count).sum() == 3);
    List<Violation> violations = violations("ann");
    assertEquals(first.rules().all().get(0).name(), violations.get(0).policy());
    assertEquals("/api/*", violations.get(0).endpoint(), "never a path");
    assertEquals("ann", first.usage().topRefused(1).get(0).caller());
    Instant now = Instant.now();
    List<EndpointUsage> hours =
        usage.hours("ann", now.minus(Duration.ofHours(2)), now.plus(Duration.ofHours(1)));
    assertEquals(9, hours.stream().mapToLong(EndpointUsage::requests).sum());
  }

  private List<Violation> violations(String user) {
    return second.usage().violationsOf(user, EARLY, LATE, 10);
  }

  @Test
  void aForgottenUserIsForgottenByAllNodesAtOnce() {
    try (LogLines log = new LogLines()) {
      first.users().save(UserTier.of("somebody", "gold"), "test");
      second.refresh();
      RulesContract.await("gold", () -> send(second, "somebody", 5) == 5);
      first.forget("somebody");
      RulesContract.await("the default again", () -> send(second, "somebody", 5) < 5);
      assertEquals(Optional.empty(), first.users().find("somebody"));
      first.forget("nobody");
      assertEquals(List.of(), log.containing("somebody"), "nothing personal in a log");
    }
  }

  @Test
  void switchedOffNothingIsWritten() {
    DefaultRules off = node(() -> DatabaseOpener.open(source, true), UsageOptions.USUAL.on(false));
    send(off, "bob", 5);
    off.close();
    assertEquals(0, first.usage().total("bob").requests());
    assertEquals(List.of(), off.usage().topRefused(10));
  }

  @Test
  void theLastSecondsAreWrittenWhenTheApplicationEnds() {
    DefaultRules last = node(() -> DatabaseOpener.open(source, true), Duration.ofMinutes(1));
    send(last, "bob", 5);
    last.close();
    assertEquals(5, first.usage().total("bob").requests());
    assertFalse(first.usage().violationsOf("bob", EARLY, LATE, 10).isEmpty());
  }
}
