package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.compat.postgres.PostgresBackup;
import io.weir.compat.postgres.PostgresReplica;
import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.RunOneIn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Three nodes on a PostgreSQL that comes back without the last counts: a replica that lagged behind
 * takes over, a backup is restored, or a table wasn't logged. The nodes report again what they were
 * granted.
 */
@RunOneIn(value = 4, own = true)
class FailoverTest {
  private static final int NODES = 3;
  private static final int LIMIT = 300;
  private static final String EPOCH =
      "SELECT version FROM weir_buckets WHERE key = '\\x0065706f6368'::bytea";
  private static final String BEATS =
      "SELECT version FROM weir_buckets WHERE key = '\\x0065706f63682e6265617473'::bytea";
  private static final List<Algorithm> ALGORITHMS =
      List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.TOKEN_BUCKET);

  private final PostgresServer primary = PostgresServer.start();
  private final List<RateLimiter> nodes = new ArrayList<>();
  private final Map<Algorithm, Integer> admitted = new EnumMap<>(Algorithm.class);
  private long epoch;

  @AfterEach
  void close() {
    nodes.forEach(RateLimiter::close);
    primary.close();
  }

  private void open(String url, String durability) {
    Map<String, String> settings =
        Map.of("weir.store.timeout", "2s", "weir.store.postgres.durability", durability);
    for (int i = 0; i < NODES; i++) {
      nodes.add(
          RateLimiter.builder()
              .store(url, name -> settings.getOrDefault(name, ""))
              .storeTimeout(Duration.ofSeconds(2))
              .startTimeout(Duration.ofMinutes(1))
              .flushInterval(Duration.ofMillis(500))
              .build());
    }
    Await.until("all are answered", () -> spend(30) == 0);
  }

  @Test
  void aReplicaThatLagsCostsNoSecondLimit() {
    try (PostgresReplica replica = PostgresReplica.of(primary)) {
      open(PostgresServer.primaryUrl("postgres", primary, replica.server()), "");
      replica.awaitCaughtUp();
      replica.cutOff();
      spendWhatIsLost();
      primary.kill();
      replica.promote();
      checkThatNothingIsGrantedAgain(replica.server());
    }
  }

  /** It accepts connections, but says nothing: as if its machine were cut off. */
  @Test
  void aFrozenPrimaryIsLeftForTheNextOne() {
    try (PostgresReplica replica = PostgresReplica.of(primary)) {
      open(PostgresServer.primaryUrl("postgres", primary, replica.server()), "");
      replica.awaitCaughtUp();
      replica.cutOff();
      spendWhatIsLost();
      primary.freeze();
      replica.promote();
      checkThatNothingIsGrantedAgain(replica.server());
    }
  }

  @Test
  void aRestoredBackupCostsNoSecondLimit() {
    open(primary.url("postgres"), "");
    try (PostgresBackup backup = primary.backUp()) {
      spendWhatIsLost();
      primary.restore(backup);
    }
    checkThatNothingIsGrantedAgain(primary);
  }

  @Test
  void aCrashThatEmptiesAnUnloggedTableCostsNoSecondLimit() {
    open(primary.url("postgres"), "unlogged");
    spendWhatIsLost();
    primary.kill();
    primary.restart();
    checkThatNothingIsGrantedAgain(primary);
  }

  /** Goes on until the nodes have heard beats that will be lost. */
  private void spendWhatIsLost() {
    String url = primary.url("postgres");
    epoch = Databases.number(url, EPOCH);
    long beats = Databases.number(url, BEATS);
    Await.until("all are answered", () -> spend(100) == 0);
    Await.until("it has beaten", () -> spend(3) == 0 && Databases.number(url, BEATS) > beats + 3);
  }

  private void checkThatNothingIsGrantedAgain(PostgresServer next) {
    String url = next.url("postgres");
    Await.until("the store is asked again", () -> spend(30) == 0);
    Await.until("more than the limit are answered", () -> spend(400) == 0);
    System.out.println("admitted after the loss " + admitted);
    assertNotEquals(epoch, Databases.number(url, EPOCH), "nobody noticed the loss");
    admitted.forEach(
        (algorithm, permits) ->
            assertTrue(permits <= LIMIT && permits >= 100, algorithm + " admitted " + permits));
  }

  /** Asks so many times by each algorithm; returns the number not decided by the store. */
  private int spend(int requests) {
    int degraded = 0;
    for (Algorithm algorithm : ALGORITHMS) {
      Policy policy =
          Policy.builder(algorithm.name())
              .limit(LIMIT)
              .window(Duration.ofDays(300))
              .algorithm(algorithm)
              .onStoreFailure(OnStoreFailure.CLOSED)
              .build();
      for (int i = 0; i < requests; i++) {
        Decision decision = nodes.get(i % NODES).tryAcquire(policy, Key.of("who"));
        boolean counts = decision.admitted() && !decision.degraded();
        admitted.merge(algorithm, counts ? 1 : 0, Integer::sum);
        degraded += decision.degraded() ? 1 : 0;
      }
    }
    return degraded;
  }
}
