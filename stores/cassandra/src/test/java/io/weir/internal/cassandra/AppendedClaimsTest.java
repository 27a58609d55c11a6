package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.seeds.Seeds;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims that lose each race for a level are appended to it, and executed once. */
class AppendedClaimsTest {
  private static final long START = 1_700_000_040L * 1_000_000;
  private static final int LIMIT = 600;
  private static final int REPORTS = 15;
  private static final int STEPS = 40;

  private final AtomicLong micros = new AtomicLong(START);
  private final List<AutoCloseable> open = new ArrayList<>();
  private CqlSession session;
  private LevelRows rows;
  private CassandraStore near;

  /** Makes a change just before the far node sends its own, however slow the machine is. */
  private volatile Runnable faster = () -> {};

  @BeforeEach
  void connect() {
    near = store(new SetClock(micros::get));
    session =
        CqlSession.builder()
            .addContactPoint(Servers.shared())
            .withLocalDatacenter(CassandraServer.DATA_CENTRE)
            .withConfigLoader(Servers.patient())
            .build();
    open.add(session::forceCloseAsync); // not awaited: that takes two seconds
    rows =
        new LevelRows(
            session,
            Servers.KEYSPACE + ".weir_buckets",
            ConsistencyLevel.LOCAL_QUORUM,
            ConsistencyLevel.LOCAL_SERIAL,
            new SetClock(micros::get));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private CassandraStore store(StoreClock clock) {
    CassandraStore store =
        Servers.open(Servers.shared(), Map.of("weir.store.timeout", "5s"), clock);
    open.add(store);
    return store;
  }

  /** A node whose clock is read once the state is known, and before it is replaced. */
  private CassandraStore overtaken() {
    return store(
        new StoreClock(Ticker.system()) {
          @Override
          long hear(UUID reported, long sentAt) {
            return micros.get();
          }

          @Override
          long now() {
            return micros.get();
          }

          @Override
          long uncertainty() {
            faster.run();
            return 0;
          }
        });
  }

  private static BucketId bucket(Algorithm algorithm) {
    BucketSpec spec =
        BucketSpec.builder("appended").algorithm(algorithm).window(Duration.ofDays(300)).build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static String name(BucketId bucket) {
    return BucketHasher.of("a secret").of(bucket);
  }

  private static Optional<Grant> execute(CassandraStore store, Claim claim) {
    return store.execute(List.of(claim)).toCompletableFuture().join().get(0);
  }

  private static Grant take(CassandraStore store, BucketId bucket, long permits) {
    return execute(store, Claim.of(bucket, permits, LIMIT, LIMIT)).orElseThrow();
  }

  private static Claim debt(BucketId bucket, long permits) {
    return Claim.builder(bucket, LIMIT, LIMIT).debt(permits).build();
  }

  private long left(CassandraStore store, BucketId bucket) {
    return execute(store, Claim.peek(bucket, 1, LIMIT, LIMIT)).orElseThrow().left();
  }

  private LevelRows.Level read(BucketId bucket) {
    return rows.read(name(bucket)).toCompletableFuture().join();
  }

  /** Appends as a node does that dies at once. */
  private void append(BucketId bucket, UUID writer, Claim... claims) {
    byte[] bytes = new AppendedClaims(micros.get(), List.of(claims)).toBytes();
    rows.append(name(bucket), writer, micros.get(), bytes).toCompletableFuture().join();
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"TOKEN_BUCKET", "LEAKY_BUCKET"})
  void reportsCountThoughOthersAreAlwaysFaster(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm);
    CassandraStore far = overtaken();
    AtomicLong taken = new AtomicLong();
    faster = () -> taken.addAndGet(take(near, bucket, 1).permits());
    List<Long> stamps = new ArrayList<>();
    for (int i = 0; i < REPORTS; i++) {
      Optional<Grant> answer = execute(far, debt(bucket, 3));
      assertTrue(answer.isPresent(), "report " + i + " isn't charged");
      stamps.add(answer.get().stamp());
    }
    faster = () -> {};
    assertTrue(taken.get() >= 2 * REPORTS, "they were faster");
    long left = LIMIT - 3L * REPORTS - taken.get();
    assertEquals(left, left(near, bucket));
    for (long stamp : stamps) {
      Claim back = Claim.builder(bucket, LIMIT, LIMIT).giveBack(new GiveBack(stamp, 1)).build();
      assertTrue(execute(far, back).isPresent());
    }
    assertEquals(left + REPORTS, left(near, bucket), "the stamps are those of the charges");
  }

  /** Nobody else comes, so the node that has appended executes it itself. */
  @Test
  void nothingIsLeftBehindWhereTheOthersHaveStopped() {
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    CassandraStore far = overtaken();
    assertEquals(1, take(far, bucket, 1).permits());
    AtomicLong more = new AtomicLong(2);
    faster =
        () -> {
          if (more.decrementAndGet() >= 0) {
            take(near, bucket, 1);
          }
        };
    Grant answer = execute(far, debt(bucket, 3)).orElseThrow();
    assertEquals(List.of(), read(bucket).waiting());
    assertEquals(LIMIT - 6, left(near, bucket));
    assertEquals(LIMIT - 6, answer.left());
    Claim back =
        Claim.builder(bucket, LIMIT, LIMIT).giveBack(new GiveBack(answer.stamp(), 3)).build();
    assertEquals(LIMIT - 3, execute(far, back).orElseThrow().left());
  }

  /** To a node that is near, however slow the machine is. */
  @Test
  void nothingIsAppendedWhereNobodyElseIs() {
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    CassandraStore atOnce = store(new SetClock(new FakeTicker(), micros::get));
    for (int i = 0; i < 3; i++) {
      assertTrue(execute(atOnce, debt(bucket, 1)).isPresent());
      assertTrue(execute(overtaken(), debt(bucket, 1)).isPresent(), "one exchange more");
    }
    LevelRows.Level level = read(bucket);
    assertEquals(List.of(), level.rows());
    assertEquals(LIMIT - 6, left(near, bucket));
  }

  @Test
  void theClaimOfADeadNodeCountsAtOnceAndOnce() {
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    CassandraStore other = store(new SetClock(micros::get));
    assertEquals(10, take(near, bucket, 10).permits());
    append(bucket, UUID.randomUUID(), debt(bucket, 5), debt(bucket, 2));
    append(bucket, UUID.randomUUID(), debt(bucket, 100));
    assertEquals(LIMIT - 117, left(other, bucket), "to one who looks");
    assertEquals(LIMIT - 117, left(near, bucket), "and to one who knew the state before");
    assertEquals(2, read(bucket).waiting().size(), "a look changes nothing");
    assertEquals(LIMIT - 118, take(near, bucket, 1).left());
    assertEquals(List.of(), read(bucket).waiting());
    assertEquals(LIMIT - 119, take(other, bucket, 1).left());
    assertEquals(LIMIT - 120, take(near, bucket, 1).left());
    assertEquals(LIMIT - 120, left(other, bucket));
  }

  /** The node itself appends, and ends before it looks whether its claim was executed. */
  @Test
  void theClaimOfANodeThatDiesInBetweenCountsOnce() {
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    CassandraStore far = overtaken();
    AtomicLong taken = new AtomicLong();
    faster =
        () -> {
          if (!read(bucket).waiting().isEmpty()) {
            throw new IllegalStateException("died");
          }
          taken.addAndGet(take(near, bucket, 1).permits());
        };
    assertThrows(CompletionException.class, () -> execute(far, debt(bucket, 100)));
    far.close();
    long left = LIMIT - 100 - taken.get();
    assertEquals(1, read(bucket).waiting().size());
    assertEquals(left, left(near, bucket));
    assertEquals(left - 1, take(near, bucket, 1).left());
    assertEquals(List.of(), read(bucket).waiting());
    assertEquals(left - 2, take(near, bucket, 1).left());
  }

  @Test
  void countsInABucketThatNobodyHasUsed() {
    BucketId bucket = bucket(Algorithm.LEAKY_BUCKET);
    append(bucket, UUID.randomUUID(), debt(bucket, 5));
    assertEquals(LIMIT - 5, left(near, bucket));
    assertEquals(LIMIT - 6, take(near, bucket, 1).left());
  }

  @Test
  void aRowIsWrittenAgainAndAgain() {
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    UUID writer = UUID.randomUUID();
    for (int i = 1; i <= 3; i++) {
      micros.incrementAndGet();
      append(bucket, writer, debt(bucket, 5));
      assertEquals(LIMIT - 6 * i, take(near, bucket, 1).left());
      assertEquals(1, read(bucket).rows().size());
    }
  }

  @Test
  void isForgottenWithTheBucket() {
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    CassandraStore other = store(new SetClock(micros::get));
    assertEquals(10, take(near, bucket, 10).permits());
    append(bucket, UUID.randomUUID(), debt(bucket, 5));
    other.forget(bucket).toCompletableFuture().join();
    assertEquals(LIMIT, left(near, bucket));
    append(bucket, UUID.randomUUID(), debt(bucket, 7));
    other.forget(bucket).toCompletableFuture().join();
    assertEquals(LIMIT - 1, take(near, bucket, 1).left());
  }

  /** Whoever reads them, and whichever replica was away: first the claims, then the note. */
  @Test
  void expiresAMinuteLaterAndTheNoteAfterIt() {
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    assertEquals(10, take(near, bucket, 10).permits());
    append(bucket, UUID.randomUUID(), debt(bucket, 5));
    int waits = seconds(bucket, "state", 1);
    assertTrue(waits > 30 && waits <= 60, "s: " + waits);
    int marked = seconds(bucket, "asked", 0);
    assertTrue(marked > 30 && marked <= 60, "s: " + marked);
    int state = seconds(bucket, "state", 0);
    assertEquals(LIMIT - 16, take(near, bucket, 1).left());
    assertTrue(seconds(bucket, "state", 0) > state, "the level counts for longer by the debt");
    for (String noted : List.of("used", "asked", "raised")) {
      assertTrue(seconds(bucket, noted, 1) > seconds(bucket, "state", 1), noted);
    }
  }

  private int seconds(BucketId bucket, String column, int slot) {
    Row row =
        session
            .execute(
                "SELECT ttl("
                    + column
                    + ") FROM "
                    + Servers.KEYSPACE
                    + ".weir_buckets WHERE name = ? AND slot = "
                    + slot,
                name(bucket))
            .one();
    assertNotNull(row);
    return row.getInt(0);
  }

  /** As after that minute. */
  @Test
  void isNotWaitedForOnceItHasExpired() {
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET);
    assertEquals(10, take(near, bucket, 10).permits());
    append(bucket, UUID.randomUUID(), debt(bucket, 5));
    session.execute(
        "DELETE FROM " + Servers.KEYSPACE + ".weir_buckets WHERE name = ? AND slot = 1",
        name(bucket));
    assertEquals(LIMIT - 11, take(near, bucket, 1).left());
    assertEquals(null, read(bucket).mark());
  }

  /** Two near nodes and any number of appending ones, as chance has it. */
  @Test
  void endsAsIfAllWereExecutedInOrder() {
    CassandraStore other = store(new SetClock(micros::get));
    Seeds.each(
        Seeds.deep() ? 20 : 6,
        random -> {
          for (Algorithm each : List.of(Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET)) {
            sequence(random, each, List.of(near, other));
          }
        });
  }

  private void sequence(Random random, Algorithm algorithm, List<CassandraStore> nodes) {
    Duration window = Duration.ofMillis(10_000 + random.nextInt(3_600_000));
    BucketSpec spec = BucketSpec.builder("sequence").algorithm(algorithm).window(window).build();
    BucketId bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
    BucketArithmetic arithmetic = BucketArithmetic.leasing(CassandraStore.MIN_LIFE_MICROS);
    List<Long> stamps = new ArrayList<>();
    byte[] expected = null;
    long limit = 1L + random.nextInt(60);
    for (int i = 0; i <= STEPS; i++) {
      micros.addAndGet(1 + Math.floorMod(random.nextLong(), spec.windowMicros() / 20));
      boolean isLast = i == STEPS;
      boolean appends = !isLast && random.nextBoolean();
      int burst = 30;
      Claim.Builder claim = Claim.builder(bucket, limit, burst);
      if (!stamps.isEmpty() && random.nextInt(3) == 0) {
        claim.giveBack(new GiveBack(stamps.remove(stamps.size() - 1), 1));
      }
      claim.debt(isLast ? 1 : random.nextInt(4));
      long until = random.nextInt(4) == 0 ? micros.get() + random.nextInt(3) - 1 : 0;
      claim.debtUntil(isLast ? 0 : until);
      if (!appends) {
        claim.needed(random.nextInt(6));
      }
      Claim made = claim.build();
      BucketUpdate update = arithmetic.execute(expected, made, micros.get());
      expected = update.isChanged() ? update.bytes() : expected;
      if (appends) {
        append(bucket, UUID.randomUUID(), made);
      } else {
        Grant grant = execute(nodes.get(random.nextInt(nodes.size())), made).orElseThrow();
        assertEquals(update.grant(), grant, "step " + i);
      }
      if (update.grant().stamp() > 0) {
        stamps.add(update.grant().stamp());
      }
    }
    LevelRows.Level level = read(bucket);
    assertArrayEquals(expected, level.state());
    assertEquals(List.of(), level.waiting());
    assertFalse(level.mark() != null, "the mark is gone");
  }
}
