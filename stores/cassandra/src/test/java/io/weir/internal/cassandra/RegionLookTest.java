package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.test.log.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Looks at the Cassandra of another region, perhaps before the first node of that one starts. */
class RegionLookTest {
  private static final String KEYSPACE = "looked_at";

  @Test
  void aLookMakesNothingAndSaysWhyItWaits() {
    String address = Servers.address(Servers.shared()).replace("/tests", "/" + KEYSPACE);
    Optional<String> kept = Optional.of("region us, secret 0a1b");
    try (LogLines log = new LogLines();
        CassandraStore other =
            Servers.unconnected(address, Map.of(), new StoreClock(Ticker.system()))) {
      CompletionStage<Optional<String>> first = other.mark(Optional.empty());
      CompletionException why =
          assertThrows(CompletionException.class, () -> first.toCompletableFuture().join());
      assertTrue(
          String.valueOf(why.getMessage()).endsWith("still connecting to it"), why::getMessage);
      awaitMark(other, Optional.empty());
      assertNoKeyspace();
      try (CassandraStore own = Servers.open(KEYSPACE)) {
        assertEquals(kept, own.mark(kept).toCompletableFuture().join());
        awaitMark(other, kept);
        look(own, other);
      }
      assertEquals(List.of(), log.errors());
    }
  }

  private static void assertNoKeyspace() {
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(Servers.shared())
            .withLocalDatacenter(CassandraServer.DATA_CENTRE)
            .withConfigLoader(Servers.patient())
            .build()) {
      assertNull(
          session
              .execute(
                  "SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?",
                  KEYSPACE)
              .one());
    }
  }

  /** Reads the mark again while the store is connecting. */
  static void awaitMark(CassandraStore store, Optional<String> mark) {
    Await.until(
        "its mark is " + mark,
        () ->
            store
                .mark(Optional.empty())
                .handle((found, failure) -> mark.equals(found))
                .toCompletableFuture()
                .join());
  }

  /** Looks at a bucket of each algorithm, of which some is used. */
  static void look(CassandraStore own, CassandraStore other) {
    List<Claim> peeks = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      BucketSpec spec =
          BucketSpec.builder(algorithm.name())
              .algorithm(algorithm)
              .window(Duration.ofDays(300))
              .build();
      BucketId bucket = new BucketId(spec, Key.of("caller"));
      assertEquals(3, answer(own, List.of(Claim.of(bucket, 3, 10, 10))).get(0).permits());
      peeks.add(Claim.peek(bucket, 1, 10, 10));
    }
    for (int i = 0; i < 2; i++) {
      answer(other, peeks).forEach(each -> assertEquals(7, each.left()));
    }
  }

  private static List<Grant> answer(CassandraStore store, List<Claim> claims) {
    return store.execute(claims).toCompletableFuture().join().stream()
        .map(Optional::orElseThrow)
        .toList();
  }
}
