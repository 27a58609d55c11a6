package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loses data in a database of its own: truncated, restored to an older state, dropped. */
class EpochTest {
  private static final int LIMIT = 300;
  private static final String TABLE = "public.weir_buckets";

  private final String database = PostgresServer.shared().newDatabase();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private PostgresStore store() {
    PostgresStore store = Databases.open(database);
    open.add(store);
    return store;
  }

  private void run(String sql) {
    Databases.run(database, sql);
  }

  private static Epoch ask(PostgresStore store, Epoch known) {
    return store.epoch(0, known).toCompletableFuture().join();
  }

  @Test
  void isOneForAllAndStays() {
    PostgresStore one = store();
    PostgresStore two = store();
    Epoch first = ask(one, Epoch.NONE);
    assertTrue(first.exists());
    assertFalse(first.wiped());
    assertTrue(first.is(ask(two, Epoch.NONE)));
    Epoch later = ask(one, first);
    assertTrue(later.is(first));
    assertFalse(later.wiped());
    assertTrue(later.beats() >= first.beats());
    Await.until("it beats", () -> ask(two, first).beats() > first.beats());
  }

  @Test
  void isAnotherOneOnceTheTableWasTruncatedAndAllHearIt() {
    PostgresStore one = store();
    PostgresStore two = store();
    Epoch first = ask(one, Epoch.NONE);
    BucketId bucket = bucket(Algorithm.FIXED_WINDOW);
    assertEquals(7, take(one, first, bucket, 7));
    run("TRUNCATE " + TABLE);
    for (PostgresStore each : List.of(one, two)) {
      CompletionException lost =
          assertThrows(CompletionException.class, () -> take(each, first, bucket, 1));
      assertInstanceOf(DataLossException.class, lost.getCause());
    }
    Epoch next = ask(two, Epoch.NONE); // one that knew nothing comes first
    assertNotEquals(first.id(), next.id());
    assertFalse(next.wiped());
    Epoch heard = ask(one, first);
    assertTrue(heard.is(next));
    assertTrue(heard.wiped());
    assertTrue(ask(two, next).wiped(), "and the other one hears it too");
    assertEquals(LIMIT, take(one, heard, bucket, LIMIT), "the store doesn't count it twice");
  }

  @Test
  void aTransactionAfterwardsFindsNothing() {
    PostgresStore store = store();
    Epoch first = ask(store, Epoch.NONE);
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    assertEquals(150, take(store, first, bucket, 150));
    run("TRUNCATE " + TABLE);
    assertThrows(CompletionException.class, () -> take(store, first, bucket, 1));
    Epoch next = ask(store, first);
    Claim debt = Claim.builder(bucket, LIMIT, LIMIT).debt(150).build();
    Grant told = store.execute(0, next, List.of(debt)).toCompletableFuture().join().get(0).get();
    assertTrue(told.left() > 100, told.toString());
    assertEquals(100, take(store, next, bucket, 100));
  }

  /** As a backup that is restored into the same table, while nodes go on. */
  @Test
  void isAnotherOneIfAnOlderStateComesBack() {
    PostgresStore one = store();
    PostgresStore two = store();
    Epoch first = ask(one, Epoch.NONE);
    BucketId bucket = bucket(Algorithm.FIXED_WINDOW);
    assertEquals(7, take(one, first, bucket, 7));
    backUp();
    assertEquals(20, take(one, first, bucket, 20));
    Epoch[] seen = {first};
    Await.until(
        "it has beaten since",
        () -> {
          seen[0] = ask(one, seen[0]);
          return seen[0].beats() > first.beats();
        });
    restore();
    CompletionException lost =
        assertThrows(CompletionException.class, () -> take(one, first, bucket, 1));
    assertInstanceOf(DataLossException.class, lost.getCause(), "it has the id, but fewer beats");
    Epoch next = ask(one, seen[0]);
    assertNotEquals(first.id(), next.id());
    assertTrue(next.wiped());
    assertTrue(ask(two, first).is(next));
    assertThrows(CompletionException.class, () -> take(two, first, bucket, 1));
    Claim debt = Claim.builder(bucket, LIMIT, LIMIT).debt(20).build();
    Grant told = two.execute(0, next, List.of(debt)).toCompletableFuture().join().get(0).get();
    assertEquals(LIMIT - 27, told.left(), "the older state counts, and what is told again");
  }

  private void backUp() {
    run("CREATE TABLE backup AS SELECT * FROM " + TABLE);
  }

  private void restore() {
    run(
        "BEGIN; TRUNCATE "
            + TABLE
            + "; INSERT INTO "
            + TABLE
            + " SELECT * FROM backup; COMMIT; DROP TABLE backup");
  }

  /** One has a statement of its own. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aNodeHearsTheBeatsOfOthersByTheAnswersToItsClaims(int buckets) {
    PostgresStore one = store();
    PostgresStore two = store();
    Epoch first = ask(one, Epoch.NONE);
    backUp();
    Await.until("the other one beats", () -> ask(two, first).beats() > first.beats());
    assertEquals(buckets, takeOfEach(one, first, buckets));
    restore();
    CompletionException lost =
        assertThrows(CompletionException.class, () -> takeOfEach(one, first, buckets));
    assertInstanceOf(DataLossException.class, lost.getCause(), "it heard a beat that is missing");
    Epoch next = ask(one, first);
    assertNotEquals(first.id(), next.id(), "whatever it heard when it asked last");
    assertTrue(next.wiped());
    assertEquals(buckets, takeOfEach(one, next, buckets));
  }

  private static long takeOfEach(PostgresStore store, Epoch epoch, int buckets) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < buckets; i++) {
      claims.add(Claim.of(bucket(Algorithm.TOKEN_BUCKET), 1, LIMIT, LIMIT));
    }
    return take(store, epoch, claims);
  }

  @Test
  void beatsAreCountedAtMostTenTimesASecond() {
    PostgresStore store = store();
    Epoch epoch = ask(store, Epoch.NONE);
    long begin = System.nanoTime();
    Epoch last = epoch;
    for (int i = 0; i < 40; i++) {
      last = ask(store, last);
    }
    long tenths = (System.nanoTime() - begin) / 100_000_000;
    assertTrue(last.beats() - epoch.beats() <= tenths + 1, last + " after " + tenths);
  }

  @Test
  void aDroppedTableIsMadeAgain() {
    PostgresStore store = store();
    Epoch first = ask(store, Epoch.NONE);
    run("DROP TABLE " + TABLE);
    Await.until(
        "it is made again",
        () -> {
          try {
            return ask(store, first).wiped();
          } catch (CompletionException away) {
            return false;
          }
        });
    assertEquals(1, take(store, ask(store, first), bucket(Algorithm.TOKEN_BUCKET), 1));
  }

  private static BucketId bucket(Algorithm algorithm) {
    BucketSpec spec =
        BucketSpec.builder("epoch").algorithm(algorithm).window(Duration.ofDays(300)).build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static long take(PostgresStore store, Epoch epoch, BucketId bucket, long permits) {
    return take(store, epoch, List.of(Claim.of(bucket, permits, LIMIT, LIMIT)));
  }

  private static long take(PostgresStore store, Epoch epoch, List<Claim> claims) {
    return store.execute(0, epoch, claims).toCompletableFuture().join().stream()
        .map(Optional::orElseThrow)
        .mapToLong(Grant::permits)
        .sum();
  }

  @Test
  void costsNoSecondLimitWhenTruncatedUnderLoad() {
    ThreeNodes nodes = new ThreeNodes(database, "");
    open.add(nodes);
    Await.until("all are answered", () -> nodes.spend(150) == 0);
    run("TRUNCATE " + TABLE);
    Await.until("the store is asked again", () -> nodes.spend(60) == 0);
    Await.until("more than the limit are answered", () -> nodes.spend(400) == 0);
    nodes.checkAdmitted();
  }
}
