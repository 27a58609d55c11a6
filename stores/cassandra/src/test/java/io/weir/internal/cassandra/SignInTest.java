package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.CassandraConfig;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.compat.cassandra.Certificate;
import io.weir.seeds.OneDayIn;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.test.log.LogLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Cassandra that wants a login and speaks TLS only. */
@OneDayIn(4)
class SignInTest {
  @TempDir private Path home;

  @Test
  void signsInOverTlsAndSaysWhatIsRefused() {
    CassandraServer.assumePresent();
    Certificate certificate = Certificate.make(home, "ip:127.0.0.1");
    CassandraConfig config = CassandraConfig.plain().withPasswords().withTls(certificate);
    try (CassandraServer server = CassandraServer.start(config)) {
      String address = Servers.address(server.contactPoint()) + "&tls=true";
      Map<String, String> trusting = new HashMap<>();
      trusting.put("weir.store.cassandra.trust-store", certificate.trustStore().toString());
      trusting.put("weir.store.cassandra.trust-store-password", Certificate.PASSWORD);
      trusting.put("weir.store.cassandra.user", CassandraServer.USER);

      Map<String, String> right = new HashMap<>(trusting);
      right.put("weir.store.cassandra.password", CassandraServer.PASSWORD);
      StoreClock clock = new StoreClock(Ticker.system());
      try (CassandraStore store = Servers.open(address, right, clock)) {
        assertEquals(3, take(store));
        aLoginThatMayOnlyReadIsEnoughToLook(server, store, address, trusting);
      }

      trusting.put("weir.store.cassandra.password", "a guess");
      try (LogLines log = new LogLines()) {
        assertThrows(
            CompletionException.class, () -> Servers.open(address, trusting, clock).close());
        String told = String.join("\n", log.errors());
        assertTrue(told.contains("it refuses the login: correct weir.store.cassandra.user"), told);
        assertFalse(told.contains("a guess"), told);
      }
      assertThrows(
          CompletionException.class,
          () -> Servers.open(address, Map.of(), clock).close(),
          "whom the JVM doesn't trust");
    }
  }

  /** From another region, by claims of each kind that only ask. */
  private static void aLoginThatMayOnlyReadIsEnoughToLook(
      CassandraServer server, CassandraStore own, String address, Map<String, String> trusting) {
    Optional<String> kept = Optional.of("region us, secret 0a1b");
    assertEquals(kept, own.mark(kept).toCompletableFuture().join());
    server.execute("CREATE ROLE looks WITH PASSWORD = 'l' AND LOGIN = true");
    server.execute("GRANT SELECT ON KEYSPACE " + Servers.KEYSPACE + " TO looks");
    Map<String, String> looks = new HashMap<>(trusting);
    looks.put("weir.store.cassandra.user", "looks");
    looks.put("weir.store.cassandra.password", "l");
    try (CassandraStore other =
        Servers.unconnected(address, looks, new StoreClock(Ticker.system()))) {
      RegionLookTest.awaitMark(other, kept);
      RegionLookTest.look(own, other);
    }
  }

  private static long take(CassandraStore store) {
    BucketSpec spec =
        BucketSpec.builder("sign.in")
            .algorithm(Algorithm.FIXED_WINDOW)
            .window(Duration.ofDays(1))
            .build();
    Claim claim = Claim.of(new BucketId(spec, Key.everybody()), 3, 10, 10);
    return store.execute(List.of(claim)).toCompletableFuture().join().stream()
        .mapToLong(each -> each.map(Grant::permits).orElseThrow())
        .sum();
  }
}
