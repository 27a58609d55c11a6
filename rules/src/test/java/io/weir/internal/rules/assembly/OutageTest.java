package io.weir.internal.rules.assembly;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.rules.database.TestSql;
import io.weir.rules.Rule;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.tier.UserTier;
import io.weir.seeds.OneDayIn;
import io.weir.spi.ModuleSetting;
import io.weir.testkit.FakeRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL freezes, is killed and comes back, while requests are decided. */
@OneDayIn(2)
class OutageTest {
  /**
   * Far more than requests may take together, and far less than if each waited for the database.
   */
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path directory;

  private static PostgresServer postgres;

  private final Map<String, String> settings = new HashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private String url;

  @BeforeAll
  static void startPostgres() {
    postgres = PostgresServer.start();
  }

  @AfterAll
  static void stopPostgres() {
    postgres.close();
  }

  @BeforeEach
  void start() {
    url = postgres.newDatabase();
    new RulesSettings()
        .settings().stream()
            .forEach((ModuleSetting each) -> settings.put(each.name(), each.defaultValue()));
    settings.put(RulesSettings.DATABASE.name(), url);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private DefaultRules rules() {
    DefaultRules rules = RulesProvider.rules(settings::get);
    open.add(rules);
    return rules;
  }

  private WeirRuntime application(DefaultRules rules) {
    Weir weir =
        Weir.builder()
            .settings(Map.of("weir.store.timeout", "10s"))
            .policySource(rules.policySource())
            .build();
    open.add(0, weir);
    return WeirRuntime.of(weir);
  }

  /** The limit that holds for a user, or -1 if none was decided. */
  private static long limit(WeirRuntime application, String user) {
    FakeRequest request = FakeRequest.from("192.0.2.1").endpoint("/api/posts").user(user);
    GuardedRequest guarded = application.withoutClass().enter(request);
    assertTrue(guarded.decide(BEFORE_AUTHENTICATION).isEmpty());
    assertTrue(guarded.decide(AFTER_AUTHENTICATION).isEmpty());
    if (!guarded.isDecided()) {
      return -1;
    }
    Decision decision = guarded.decision();
    return decision.parts().get(0).limit();
  }

  private static void fill(DefaultRules rules) {
    rules.rules().save(Rule.builder("free", "/api/*").limit(100_000_000).build(), "test");
    rules.rules().save(Rule.builder("gold", "/api/*").limit(200_000_000).build(), "test");
    rules.users().save(UserTier.of("alice", "gold"), "test");
    rules.users().save(UserTier.of("late", "gold"), "test");
  }

  private void sql(String statement) {
    TestSql.run(PostgresServer.source(url), statement);
  }

  @Test
  void frozenKilledAndRestartedUnderLoadNobodyWaitsAndRulesStayAsTheyWere() {
    DefaultRules rules = rules();
    fill(rules);
    WeirRuntime application = application(rules);
    RulesContract.await("alice is known", () -> limit(application, "alice") == 200_000_000);

    AtomicBoolean isOver = new AtomicBoolean();
    AtomicInteger decided = new AtomicInteger();
    List<Throwable> failed = new CopyOnWriteArrayList<>();
    Thread load =
        new Thread(
            () -> {
              try {
                while (!isOver.get()) {
                  assertEquals(200_000_000, limit(application, "alice"));
                  decided.incrementAndGet();
                  TimeUnit.MILLISECONDS.sleep(1); // the pace of requests
                }
              } catch (Throwable e) {
                failed.add(e);
              }
            });
    load.start();

    postgres.freeze();
    strangers(application, "frozen");
    decidesOn(decided);
    postgres.thaw();

    postgres.kill();
    strangers(application, "killed");
    decidesOn(decided);
    RulesContract.await("it is reported", () -> !rules.problems().isEmpty());

    postgres.restart();
    sql("UPDATE weir.rate_limit_rules SET limit_count = 300000000 WHERE tier = 'free'");
    RulesContract.await("changes hold again", () -> limit(application, "bob") == 300_000_000);
    RulesContract.await("callers are found again", () -> limit(application, "late") == 200_000_000);
    RulesContract.await("all is well", () -> rules.problems().isEmpty());
    isOver.set(true);
    assertTimeoutPreemptively(SOON, () -> load.join());
    assertEquals(List.of(), failed);
  }

  /** Unknown callers have the default tier, and don't wait after three look-ups. */
  private static void strangers(WeirRuntime application, String prefix) {
    assertTimeoutPreemptively(
        SOON,
        () -> {
          for (int i = 0; i < 2_000; i++) {
            assertEquals(100_000_000, limit(application, prefix + i));
          }
        });
  }

  private static void decidesOn(AtomicInteger decided) {
    int before = decided.get();
    RulesContract.await("requests are decided", () -> decided.get() > before + 100);
  }

  @Test
  void awayAtTheStartWithoutSnapshotAnnotationsHoldAloneUntilItIsReached() {
    fill(rules());
    postgres.stop();
    DefaultRules rules = rules();
    WeirRuntime application = application(rules);
    assertEquals(-1, limit(application, "alice"));
    assertFalse(rules.problems().isEmpty());
    assertThrows(RulesUnavailableException.class, () -> rules.rules().all());
    postgres.restart();
    RulesContract.await("it is reached", () -> limit(application, "alice") == 200_000_000);
  }

  @Test
  void awayAtTheStartTheSnapshotServes() {
    Path file = directory.resolve("rules.json");
    settings.put(RulesSettings.SNAPSHOT.name(), file.toString());
    fill(rules());
    assertTrue(Files.exists(file));
    postgres.stop();
    WeirRuntime application = application(rules());
    assertEquals(100_000_000, limit(application, "alice"), "users aren't in the snapshot");
    postgres.restart();
    RulesContract.await("it is reached", () -> limit(application, "alice") == 200_000_000);
  }

  @Test
  void awayAtTheStartARequiredDatabaseStopsIt() {
    postgres.stop();
    settings.put(RulesSettings.REQUIRED.name(), "true");
    assertThrows(RulesUnavailableException.class, () -> RulesProvider.rules(settings::get));
    postgres.restart();
    rules();
  }
}
