package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.fault.FaultProxy;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.ScannedBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A store a tenth of a second away from its server charges debts to a row that others replace all
 * the time, as reports of another region are.
 */
class BusyRowTest {
  private static final int NEAR = 5;
  private static final int REPORTS = 5;
  private static final int MILLIS = 100;
  private static final long LIMIT = 10_000_000;
  private static final long DEBT = 1_000;

  private final String database = PostgresServer.shared().newDatabase();
  private final FaultProxy proxy = FaultProxy.beforePostgres(PostgresServer.shared().port());
  private final List<PostgresStore> near = new ArrayList<>();
  private final PostgresStore far = open(farAway());

  @AfterEach
  void close() {
    near.forEach(PostgresStore::close);
    far.close();
    proxy.close();
  }

  private String farAway() {
    return database.replace(":" + PostgresServer.shared().port() + "/", ":" + proxy.port() + "/");
  }

  private static PostgresStore open(String url) {
    return Databases.open(url, Databases.PATIENT, new StoreClock(Ticker.system()));
  }

  private static BucketId bucket(Algorithm algorithm) {
    return new BucketId(
        BucketSpec.builder("busy").algorithm(algorithm).window(Duration.ofDays(300)).build(),
        Key.of(UUID.randomUUID().toString()));
  }

  private static Grant execute(PostgresStore store, Claim claim) {
    Optional<Grant> answer = store.execute(List.of(claim)).toCompletableFuture().join().get(0);
    return answer.orElseThrow();
  }

  private static long left(PostgresStore store, BucketId bucket) {
    return execute(store, Claim.peek(bucket, 1, LIMIT, LIMIT)).left();
  }

  @ParameterizedTest
  @EnumSource(names = {"SLIDING_WINDOW", "FIXED_WINDOW", "TOKEN_BUCKET"})
  void chargesEachDebtOnce(Algorithm algorithm) throws InterruptedException {
    BucketId bucket = bucket(algorithm);
    AtomicLong granted = new AtomicLong();
    AtomicBoolean ended = new AtomicBoolean();
    execute(far, Claim.peek(bucket, 1, LIMIT, LIMIT)); // makes the table and connects
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < NEAR; i++) {
      near.add(open(database));
      PostgresStore store = near.get(i);
      Thread thread =
          new Thread(
              () -> {
                while (!ended.get()) {
                  granted.addAndGet(execute(store, Claim.of(bucket, 1, LIMIT, LIMIT)).permits());
                  LockSupport.parkNanos(10_000_000);
                }
              });
      thread.start();
      threads.add(thread);
    }
    proxy.slow(MILLIS, MILLIS);
    int charged = 0;
    for (int i = 0; i < REPORTS; i++) {
      Claim debt = Claim.builder(bucket, LIMIT, LIMIT).debt(DEBT).build();
      List<Optional<Grant>> answer = far.execute(List.of(debt)).toCompletableFuture().join();
      charged += answer.get(0).isPresent() ? 1 : 0;
    }
    ended.set(true);
    for (Thread each : threads) {
      each.join();
    }
    assertEquals(REPORTS, charged);
    long used = LIMIT - left(near.get(0), bucket);
    long most = granted.get() + REPORTS * DEBT;
    if (algorithm == Algorithm.TOKEN_BUCKET) {
      long drained = most / 10; // in far more than a minute
      assertTrue(used <= most && used >= most - drained, used + " of " + most);
    } else {
      assertEquals(most, used);
    }
  }

  /** The one that is far away doesn't know the row as it is by then. */
  @Test
  void isToldTheStampByWhichADebtIsGivenBack() {
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    PostgresStore other = open(database);
    near.add(other);
    Grant charged = appended(other, bucket, Claim.builder(bucket, LIMIT, LIMIT).debt(DEBT).build());
    long before = left(other, bucket);
    GiveBack back = new GiveBack(charged.stamp(), 100);
    appended(other, bucket, Claim.builder(bucket, LIMIT, LIMIT).giveBack(back).build());
    assertEquals(before - 2 + 100, left(other, bucket), "and two that were taken in between");
  }

  /** Executes a claim on a row that has changed since the store saw it. */
  private Grant appended(PostgresStore other, BucketId bucket, Claim claim) {
    execute(far, Claim.of(bucket, 1, LIMIT, LIMIT));
    execute(other, Claim.of(bucket, 1, LIMIT, LIMIT));
    String size = "SELECT max(octet_length(state)) FROM weir_buckets WHERE key >= '\\x01'";
    long length = Databases.number(database, size);
    Grant answer = execute(far, claim);
    assertTrue(Databases.number(database, size) > length + 8, "it is appended");
    return answer;
  }

  @Test
  void showsWhatIsAppendedWhereBucketsAreListed() {
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    PostgresStore other = open(database);
    near.add(other);
    appended(other, bucket, Claim.builder(bucket, LIMIT, LIMIT).debt(DEBT).build());
    List<ScannedBucket> listed =
        other.scan(bucket.spec(), LIMIT, "", 10).toCompletableFuture().join().buckets();
    assertEquals(List.of(LIMIT - DEBT - 2), listed.stream().map(ScannedBucket::left).toList());
  }

  /** Nobody else replaces the row, so those that append do it in the end. */
  @Test
  void keepsFewClaimsInARow() {
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    PostgresStore other = open(database);
    near.add(other);
    Claim debt = Claim.builder(bucket, LIMIT, LIMIT).debt(DEBT).build();
    int each = 60;
    for (int i = 0; i < each; i++) {
      execute(far, debt); // both know the row as it was before the other one's turn
      execute(other, debt);
    }
    assertEquals(LIMIT - 2 * each * DEBT, left(other, bucket));
    String size = "SELECT max(octet_length(state)) FROM weir_buckets WHERE key >= '\\x01'";
    long length = Databases.number(database, size);
    assertTrue(length < 20 * 60, length + " bytes");
  }

  /** An appended claim counts no longer than its window, also if nobody replaces the row. */
  @Test
  void forgetsWhatIsAppendedInTime() {
    BucketSpec spec =
        BucketSpec.builder("brief")
            .algorithm(Algorithm.SLIDING_WINDOW)
            .window(Duration.ofMillis(500))
            .build();
    BucketId bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
    PostgresStore other = open(database);
    near.add(other);
    execute(far, Claim.of(bucket, 1, LIMIT, LIMIT));
    execute(other, Claim.of(bucket, 1, LIMIT, LIMIT));
    execute(far, Claim.builder(bucket, LIMIT, LIMIT).debt(DEBT).build());
    Await.until("the debt is forgotten", () -> left(other, bucket) == LIMIT);
  }

  /** A large batch of reports needs several statements, which don't wait for each other. */
  @Test
  void executesTheStatementsOfALargeBatchAtOnce() {
    proxy.slow(MILLIS, MILLIS);
    BucketSpec spec = bucket(Algorithm.SLIDING_WINDOW).spec();
    List<Claim> batch = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      batch.add(Claim.builder(new BucketId(spec, Key.of("who" + i)), LIMIT, LIMIT).debt(1).build());
    }
    List<Optional<Grant>> answers = far.execute(batch).toCompletableFuture().join();
    assertTrue(answers.stream().allMatch(Optional::isPresent));
    String sessions =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND pid <> pg_backend_pid()";
    assertTrue(Databases.number(database, sessions) > 1);
  }
}
