package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.seeds.OneDayIn;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.test.log.LogLines;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The part of each limit that a data centre hands out. */
@OneDayIn(2)
class DataCentreShareCalculatorTest {
  private static final long NOW = 1_000_000;

  private final String keyspace = "k" + UUID.randomUUID().toString().replace("-", "");
  private final List<CassandraStore> stores = new ArrayList<>();
  private CqlSession admin;

  @BeforeEach
  void connect() {
    admin = Servers.session();
  }

  @AfterEach
  void close() {
    stores.forEach(CassandraStore::close);
    admin.execute("DROP KEYSPACE IF EXISTS " + keyspace);
    admin.close();
  }

  private CassandraStore store(int share) {
    CassandraStore store =
        Servers.open(
            Servers.address(Servers.shared()).replace(Servers.KEYSPACE, keyspace),
            Map.of("weir.store.cassandra.share", Integer.toString(share)),
            new StoreClock(Ticker.system()));
    stores.add(store);
    return store;
  }

  private void writeShare(UUID node, String dataCentre, long share) {
    admin.execute(
        "INSERT INTO "
            + keyspace
            + ".weir_buckets (name, slot, writer, used, asked, state)"
            + " VALUES ('shares', 0, ?, ?, ?, ?)",
        node,
        share,
        Ticker.system().epochMicros() + 100_000_000,
        ByteBuffer.wrap(dataCentre.getBytes(StandardCharsets.UTF_8)));
  }

  private void removeShare(UUID node) {
    admin.execute(
        "DELETE FROM "
            + keyspace
            + ".weir_buckets WHERE name = 'shares' AND slot = 0 AND writer = ?",
        node);
  }

  private static BucketId bucket() {
    BucketSpec spec =
        BucketSpec.builder("shares")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.ofDays(300))
            .build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static Grant ask(CassandraStore store, Claim claim) {
    return store.execute(List.of(claim)).toCompletableFuture().join().get(0).orElseThrow();
  }

  private static BucketTable.NoteRow row(String dataCentre, int share, long until) {
    byte[] name = dataCentre.getBytes(StandardCharsets.UTF_8);
    return new BucketTable.NoteRow(0, UUID.randomUUID(), share, until, name);
  }

  @Test
  void aDataCentreHasTheLargestShareOfItsLivingNodesOrElseTheLatest() {
    List<BucketTable.NoteRow> rows =
        List.of(
            row("east", 60, NOW + 1),
            row("east", 40, NOW + 9),
            row("east", 90, NOW - 1),
            row("west", 30, NOW - 5),
            row("west", 20, NOW - 4));
    assertEquals(Map.of("east", 60, "west", 20), DataCentreShareCalculator.of(rows, NOW));
    assertEquals(
        60, DataCentreShareCalculator.before(DataCentreShareCalculator.of(rows, NOW), "west", 20));
    assertEquals(
        0, DataCentreShareCalculator.before(DataCentreShareCalculator.of(rows, NOW), "east", 60));
  }

  /** Together: neither takes what the other wrote for the share from before. */
  @Test
  void nodesThatComeTogetherWithTooLargeAShareAreAllRefused() {
    store(40).close();
    UUID other = UUID.randomUUID();
    writeShare(other, "elsewhere", 60);
    for (int time = 0; time < 5; time++) {
      List<CompletableFuture<?>> starts = new ArrayList<>();
      for (int node = 0; node < 2; node++) {
        starts.add(CompletableFuture.runAsync(() -> store(60).close()));
      }
      for (CompletableFuture<?> each : starts) {
        CompletionException refused = assertThrows(CompletionException.class, each::join);
        assertTrue(String.valueOf(refused.getMessage()).contains("not 120"), refused.getMessage());
      }
    }
    assertEquals(
        40, ask(store(40), Claim.builder(bucket(), 100, 100).needed(100).build()).permits());
  }

  @Test
  void aShareThatIsTooLargeLaterStopsCountingUntilItIsMended() {
    CassandraStore store = store(60);
    UUID other = UUID.randomUUID();
    try (LogLines log = new LogLines()) {
      writeShare(other, "elsewhere", 50);
      Await.until("it is noticed", () -> !counts(store));
      assertTrue(log.errors().get(0).contains("not 110"), log.errors().toString());
      removeShare(other);
      Await.until("it counts again", () -> counts(store));
      assertEquals(1, log.errors().size());
    }
  }

  /** It starts again and again, and each time its share is there for a moment. */
  @Test
  void aNodeThatIsRefusedStopsNoOtherFromCounting() throws InterruptedException {
    CassandraStore store = store(60);
    UUID refused = UUID.randomUUID();
    writeShare(refused, "elsewhere", 50);
    store.heartbeat("node").toCompletableFuture().join(); // the first one reads the shares
    for (int i = 0; i < 20; i++) {
      assertTrue(takes(store));
      Thread.sleep(10); // its reading isn't waited for by anybody
    }
    removeShare(refused);
    for (int i = 0; i < 15; i++) {
      assertTrue(counts(store));
    }
  }

  private static boolean counts(CassandraStore store) {
    store.heartbeat("node").toCompletableFuture().join();
    return takes(store);
  }

  private static boolean takes(CassandraStore store) {
    try {
      return ask(store, Claim.builder(bucket(), 100, 100).needed(1).build()).permits() == 1;
    } catch (CompletionException refused) {
      return false;
    }
  }

  @Test
  void aPartOfNothingSaysWhenToComeBack() {
    CassandraStore store = store(60);
    Grant grant = ask(store, Claim.builder(bucket(), 1, 10).needed(1).build());
    assertEquals(0, grant.permits());
    assertEquals(0, grant.left());
    assertTrue(grant.retry() > 0, grant.toString());
  }
}
