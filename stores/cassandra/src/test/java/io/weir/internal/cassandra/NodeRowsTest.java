package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The live nodes, in a keyspace of their own. */
class NodeRowsTest {
  private final String keyspace = "k" + UUID.randomUUID().toString().replace("-", "");
  private final List<CassandraStore> stores = new ArrayList<>();

  private CassandraStore store() {
    CassandraStore store = Servers.open(keyspace);
    stores.add(store);
    return store;
  }

  @AfterEach
  void close() {
    stores.forEach(CassandraStore::close);
  }

  private static Membership beat(CassandraStore store) {
    return store.heartbeat("a node").toCompletableFuture().join();
  }

  @Test
  void sharesOfNodesThatBeatAtTheSameTimeAreNeverMoreThanAll() {
    for (int i = 0; i < 4; i++) {
      store();
    }
    for (int round = 0; round < 5; round++) {
      List<CompletableFuture<Membership>> all =
          stores.stream().map(each -> each.heartbeat("a node").toCompletableFuture()).toList();
      int sum = all.stream().map(CompletableFuture::join).mapToInt(Membership::share).sum();
      assertTrue(sum <= Membership.WHOLE, "all have " + sum);
    }
    assertTrue(beat(stores.get(0)).live() > 1);
  }

  @Test
  void whoLeavesIsNotCounted() {
    CassandraStore one = store();
    CassandraStore two = store();
    assertEquals(new Membership(1, Membership.WHOLE), beat(one));
    Await.until("each counts both", () -> beat(two).live() == 2 && beat(one).live() == 2);
    two.leave("two").toCompletableFuture().join();
    assertEquals(1, beat(one).live());
  }

  @Test
  void whoIsSilentIsGoneByItself() {
    CassandraStore one = store();
    CassandraStore two = store();
    assertEquals(1, beat(two).live());
    Await.until("each counts both", () -> beat(one).live() == 2 && beat(two).live() == 2);
    Await.until("it is gone", () -> beat(one).live() == 1);
    Await.until("its share is free", () -> beat(one).share() == Membership.WHOLE);
  }
}
