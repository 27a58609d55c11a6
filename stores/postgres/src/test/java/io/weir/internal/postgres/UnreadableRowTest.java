package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.Membership;
import io.weir.test.log.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A row that somebody has damaged, or that a later version has written. */
class UnreadableRowTest {
  private final String database = PostgresServer.shared().newDatabase();

  private static List<Optional<Grant>> take(PostgresStore store, String... callers) {
    BucketSpec spec =
        BucketSpec.builder("unreadable")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(300))
            .build();
    List<Claim> claims = new ArrayList<>();
    for (String each : callers) {
      claims.add(Claim.of(new BucketId(spec, Key.of(each)), 1, 10, 10));
    }
    return store.execute(claims).toCompletableFuture().join();
  }

  /** Rows of nodes: of this one, of others, and their number. */
  @Test
  void countsAsNoNodeIfItIsANodes() {
    try (PostgresStore store = Databases.open(database)) {
      beat(store, "a");
      beat(store, "b");
      for (String damaged :
          List.of("ff", "7fffffffffffffff00000005000000000000000000000000", "00".repeat(11))) {
        Databases.run(
            database,
            "UPDATE weir_buckets SET version = version + 1, state = decode('"
                + damaged
                + "', 'hex') WHERE key < decode('01', 'hex') AND key > decode('006d', 'hex')");
        assertEquals(new Membership(1, Membership.WHOLE), beat(store, "a"), damaged);
      }
      for (int i = 0; i < 40; i++) {
        beat(store, "node " + i);
      }
      Databases.run(
          database,
          "UPDATE weir_buckets SET version = version + 1, state = decode('ff', 'hex')"
              + " WHERE key = decode('00', 'hex') || 'members'::bytea");
      assertEquals(41, beat(store, "a").live());
      assertEquals(41, beat(store, "node 0").live());
    }
  }

  private static Membership beat(PostgresStore store, String node) {
    return store.heartbeat(node).toCompletableFuture().join();
  }

  @Test
  void failsItsOwnClaimsAloneUntilItIsRemoved() {
    try (LogLines log = new LogLines();
        PostgresStore store = Databases.open(database)) {
      assertTrue(take(store, "a").get(0).isPresent());
      Databases.run(
          database,
          "UPDATE weir_buckets SET version = version + 1, state = decode('ff', 'hex')"
              + " WHERE key >= decode('01', 'hex')");
      assertEquals(List.of(Optional.empty()), take(store, "a"), "the store isn't away");
      List<Optional<Grant>> both = take(store, "a", "b");
      assertTrue(both.get(0).isEmpty());
      assertEquals(1, both.get(1).orElseThrow().permits());
      assertEquals(1, log.lines().size(), log.lines().toString());
      assertTrue(log.warnings().get(0).contains("a bucket can't be read"), log.lines().get(0));
      Databases.run(database, "TRUNCATE weir_buckets");
      assertEquals(1, take(store, "a").get(0).orElseThrow().permits(), "this node reads it again");
    }
  }
}
