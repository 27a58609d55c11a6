package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.DeepOnly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Measures the table under a steady load of callers who come and go, for an hour or as many minutes
 * as {@code -Dweir.test.minutes} says. Expired rows leave by the sweep and by autovacuum alone; in
 * less than ten minutes, autovacuum looks each second instead of each minute.
 */
@DeepOnly
class LastingLoadTest {
  private static final long MINUTES = Long.getLong("weir.test.minutes", 60);

  private static final long SHORTEST = 3;
  private static final boolean BRIEF = MINUTES < 10;

  /** By then rows expire, are swept and vacuumed as fast as they come. */
  private static final long FIRST_MINUTES = BRIEF ? 2 : 5;

  private static final long TURN_NANOS = 20_000_000;
  private static final int NEW_CALLERS = 8;
  private static final int BUSY_CALLERS = 100;
  private static final double GROWTH = 1.3;
  private static final String SIZE = "SELECT pg_total_relation_size('weir_buckets')";
  private static final String ROWS = "SELECT count(*) FROM weir_buckets";
  private static final Policy POLICY =
      Policy.builder("lasting").limit(1_000).window(Duration.ofSeconds(10)).build();

  private final PostgresServer server =
      PostgresServer.start(
          PostgresServer.NEWEST, BRIEF ? Map.of("autovacuum_naptime", "1s") : Map.of());
  private final String database = server.newDatabase();
  private final List<CompletionStage<Decision>> asked = new ArrayList<>();
  private int callers;

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theTableKeepsTheSizeOfItsFirstMinutes() {
    assumeTrue(MINUTES >= SHORTEST, MINUTES + " minutes are too few: it takes " + SHORTEST);
    try (RateLimiter node =
        RateLimiter.builder()
            .store(database, name -> "")
            .startTimeout(Duration.ofMinutes(1))
            .build()) {
      load(node, FIRST_MINUTES);
      final long first = Databases.number(database, SIZE);
      final long firstRows = Databases.number(database, ROWS);
      load(node, MINUTES - FIRST_MINUTES);
      long last = Databases.number(database, SIZE);
      System.out.printf(
          "after %d minutes %d rows, %d bytes; after %d minutes %d rows, %d bytes, %d callers%n",
          FIRST_MINUTES,
          firstRows,
          first,
          MINUTES,
          Databases.number(database, ROWS),
          last,
          callers);
      assertTrue(last <= GROWTH * first, "first " + first + " bytes, then " + last);
    }
  }

  /** Sends what a slow machine can send too; what it can't is left out. */
  private void load(RateLimiter node, long minutes) {
    long end = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
    while (System.nanoTime() - end < 0) {
      long turn = System.nanoTime();
      for (int i = 0; i < NEW_CALLERS; i++) {
        asked.add(ask(node, "new" + callers));
        asked.add(ask(node, "busy" + callers % BUSY_CALLERS));
        callers++;
      }
      asked.forEach(each -> each.toCompletableFuture().join());
      asked.clear();
      LockSupport.parkNanos(TURN_NANOS - (System.nanoTime() - turn));
    }
  }

  private static CompletionStage<Decision> ask(RateLimiter node, String caller) {
    return node.tryAcquireAsync(List.of(new PermitRequest(POLICY, Key.of(caller))));
  }
}
