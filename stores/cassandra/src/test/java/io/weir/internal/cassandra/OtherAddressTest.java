package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.CassandraConfig;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.seeds.DeepOnly;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A Cassandra that comes back where the driver doesn't look for it. */
@DeepOnly
class OtherAddressTest {
  private final BucketId bucket =
      new BucketId(
          BucketSpec.builder("p")
              .algorithm(Algorithm.FIXED_WINDOW)
              .window(Duration.ofDays(1))
              .build(),
          Key.of(UUID.randomUUID().toString()));

  @Test
  void isFoundByTheAddressesOfTheSettings() {
    CassandraServer.assumePresent();
    int later = CassandraServer.freePort();
    try (CassandraServer first = CassandraServer.start()) {
      isFoundAgain(first, later);
    }
  }

  private void isFoundAgain(CassandraServer first, int later) {
    String address =
        Servers.address(first.contactPoint())
            .replace(":" + first.port(), ":" + first.port() + ",127.0.0.1:" + later);
    try (CassandraStore store = Servers.open(address, Map.of(), new StoreClock(Ticker.system()))) {
      assertEquals(1, take(store));
      first.kill();
      try (CassandraServer second = CassandraServer.onPort(later, CassandraConfig.plain())) {
        Await.until("claims are executed at " + second.contactPoint(), () -> take(store) == 1);
      }
    }
  }

  private long take(CassandraStore store) {
    Claim claim = Claim.of(bucket, 1, 10, 10);
    try {
      return store
          .execute(List.of(claim))
          .toCompletableFuture()
          .join()
          .get(0)
          .orElseThrow()
          .permits();
    } catch (CompletionException away) {
      return 0;
    }
  }
}
