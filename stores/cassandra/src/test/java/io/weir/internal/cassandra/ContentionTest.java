package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several nodes claim permits of one bucket at the same time, as fast as they can. */
@OneDayIn(2)
class ContentionTest {
  private static final int NODES = 3;
  private static final int THREADS = 4;
  private static final int LIMIT = Seeds.deep() ? 200 : 100;

  private final List<CassandraStore> stores = new ArrayList<>();

  @BeforeEach
  void open() {
    for (int i = 0; i < NODES; i++) {
      stores.add(Servers.open(Servers.shared()));
    }
  }

  @AfterEach
  void close() {
    stores.forEach(CassandraStore::close);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void takeNoMoreThanTheLimitAndLeaveNothing(Algorithm algorithm) {
    BucketSpec spec =
        BucketSpec.builder("contended").algorithm(algorithm).window(Duration.ofDays(300)).build();
    BucketId bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (CassandraStore store : stores) {
      for (int i = 0; i < THREADS; i++) {
        all.add(CompletableFuture.supplyAsync(() -> take(store, bucket)));
      }
    }
    long granted = all.stream().mapToLong(CompletableFuture::join).sum();
    assertTrue(granted <= LIMIT, algorithm + " granted " + granted);
    stores.forEach(each -> Await.until("what wasn't granted is written back", each::isQuiet));
    for (int i = 0; i < LIMIT && granted < LIMIT; i++) {
      granted += permits(stores.get(0), Claim.of(bucket, 1, LIMIT, LIMIT));
    }
    if (!BucketSpec.hasBurst(algorithm)) {
      assertEquals(LIMIT, granted, "what nobody got is free, " + algorithm);
    }
    assertTrue(granted <= LIMIT, algorithm + " granted " + granted);
    long more = permits(stores.get(1), Claim.of(bucket, 1, LIMIT, LIMIT));
    assertEquals(0, granted < LIMIT ? 0 : more, algorithm.name());
  }

  private static long take(CassandraStore store, BucketId bucket) {
    long granted = 0;
    for (int i = 0; i < LIMIT / 4; i++) {
      granted += permits(store, Claim.of(bucket, 1 + i % 3, LIMIT, LIMIT));
    }
    return granted;
  }

  /** Empty if unknown: a transaction may have been overtaken too often. */
  private static long permits(CassandraStore store, Claim claim) {
    try {
      Optional<Grant> grant = store.execute(List.of(claim)).toCompletableFuture().join().get(0);
      return grant.map(Grant::permits).orElse(0L);
    } catch (CompletionException unknown) {
      return 0;
    }
  }
}
