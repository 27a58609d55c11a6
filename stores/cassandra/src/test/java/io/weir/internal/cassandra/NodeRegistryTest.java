package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.weir.store.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The live nodes, in a keyspace of their own. */
class NodeRegistryTest {
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

  /** Rows of 40 other nodes, two of which are damaged. */
  @Test
  void ofManyNodesOneCountsAndDamagedRowsCountAsNone() {
    CassandraStore one = store();
    assertEquals(new Membership(1, Membership.WHOLE), beat(one));
    try (CqlSession admin = Servers.session()) {
      long later = System.currentTimeMillis() * 1_000 + 100_000_000;
      for (int i = 0; i < 40; i++) {
        insert(admin, "nodes", 0, later);
      }
      insert(admin, "nodes", -5, later);
      insert(admin, "nodes", Membership.WHOLE, Long.MAX_VALUE);
      assertEquals(new Membership(41, Membership.WHOLE / 41), beat(one));
      Await.until(
          "it is counted for the others",
          () -> number(admin, "SELECT used FROM %s WHERE name = 'nodes.count'") == 41);
      Await.until(
          "by the number alone",
          () -> {
            insert(admin, "nodes.count", 50, System.currentTimeMillis() * 1_000);
            return beat(one).live() == 50;
          });
      admin.execute("TRUNCATE " + keyspace + ".weir_buckets");
      insert(admin, "nodes.count", -1, later);
      assertEquals(1, beat(one).live(), "by all, as nobody has counted");
    }
  }

  private void insert(CqlSession admin, String name, long used, long asked) {
    admin.execute(
        "INSERT INTO "
            + keyspace
            + ".weir_buckets (name, slot, writer, used, asked) VALUES (?, 0, ?, ?, ?)"
            + " USING TTL 100",
        name,
        UUID.randomUUID(),
        used,
        asked);
  }

  private long number(CqlSession admin, String cql) {
    Row row = admin.execute(cql.replace("%s", keyspace + ".weir_buckets")).one();
    return row == null ? -1 : row.getLong(0);
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
