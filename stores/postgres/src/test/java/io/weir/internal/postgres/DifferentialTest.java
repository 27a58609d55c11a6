package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.Seeds;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three nodes that take turns answer as the arithmetic in memory does, to the microsecond. */
class DifferentialTest {
  private static final int CLAIMS = 60;
  private static final int NODES = 3;

  private final AtomicLong micros = new AtomicLong(1_700_000_040L * 1_000_000);

  private final String database = PostgresServer.shared().newDatabase();
  private final Connection connection;

  DifferentialTest() throws SQLException {
    connection = PostgresServer.source(database).getConnection();
    Databases.run(database, "CREATE SEQUENCE public.micros");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** The server has the same time, where it notes it. */
  private void set(long time) {
    micros.set(time);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT setval('public.micros', " + time + ")");
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private StoreClock clock() {
    return new SetClock(micros::get) {
      @Override
      String sql() {
        return "(SELECT last_value FROM public.micros)";
      }
    };
  }

  @Test
  void answersAsTheArithmetic() {
    List<PostgresStore> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < NODES; i++) {
        nodes.add(Databases.open(database, Databases.PATIENT, clock()));
      }
      Seeds.each(3, random -> sequences(nodes, random.nextLong()));
    } finally {
      nodes.forEach(PostgresStore::close);
    }
  }

  private void sequences(List<PostgresStore> nodes, long seed) {
    for (Algorithm algorithm : Algorithm.values()) {
      BucketSpec.Builder spec = BucketSpec.builder("differential").algorithm(algorithm);
      Duration window = Duration.ofMillis(10 + new Random(seed).nextInt(3_600_000));
      sequence(nodes, spec.window(window).build(), seed);
    }
    BucketSpec.Builder calendar = BucketSpec.builder("calendar").algorithm(Algorithm.FIXED_WINDOW);
    CalendarWindow days = CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.UTC);
    sequence(nodes, calendar.calendar(days).build(), seed);
    sequence(
        nodes,
        BucketSpec.builder("refill")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.ofSeconds(10))
            .refill(true)
            .strict(seed % 2 == 0)
            .build(),
        seed);
  }

  private void sequence(List<PostgresStore> nodes, BucketSpec spec, long seed) {
    Random random = new Random(seed);
    BucketId bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
    LiveBucket live = BucketArithmetic.leasing(PostgresStore.MIN_LIFE_MICROS).fresh(spec);
    List<List<Grant>> granted = new ArrayList<>();
    nodes.forEach(any -> granted.add(new ArrayList<>()));
    long limit = 1L + random.nextInt(60);
    for (int i = 0; i < CLAIMS; i++) {
      set(micros.get() + elapsed(random, spec));
      if (random.nextInt(20) == 0) {
        limit = 1L + random.nextInt(60);
      }
      int node = random.nextInt(NODES);
      Claim claim = claim(random, bucket, limit, granted.get(node), spec);
      String what = spec + ", seed " + seed + ", claim " + i;
      Grant grant =
          nodes.get(node).execute(List.of(claim)).toCompletableFuture().join().stream()
              .map(Optional::orElseThrow)
              .findFirst()
              .orElseThrow();
      assertEquals(live.execute(claim, micros.get()), grant, what);
      if (grant.permits() > 0) {
        granted.get(node).add(grant);
      }
    }
  }

  private static long elapsed(Random random, BucketSpec spec) {
    long window = spec.windowMicros();
    return switch (random.nextInt(8)) {
      case 0, 1 -> 0;
      case 2 -> 1;
      case 3 -> Math.floorMod(random.nextLong(), 2 * window);
      default -> Math.floorMod(random.nextLong(), 1 + window / 20);
    };
  }

  /** Gives back only what this node was granted, and not twice. */
  private Claim claim(
      Random random, BucketId bucket, long limit, List<Grant> granted, BucketSpec spec) {
    long needed = random.nextInt(4) == 0 ? 0 : 1L + random.nextInt(5);
    Claim.Builder claim =
        Claim.builder(bucket, spec.hasRefill() ? 1 + limit / 5 : limit, limit)
            .needed(needed)
            .atLeast(random.nextBoolean() ? needed : 0)
            .extra(random.nextInt(3) == 0 ? random.nextInt(40) : 0)
            .far(random.nextInt(3) == 0 ? random.nextInt(40) : 0)
            .debt(random.nextInt(8) == 0 ? random.nextInt(10) : 0)
            .debtUntil(random.nextBoolean() ? 0 : micros.get() + random.nextInt(3) - 1);
    if (!granted.isEmpty() && random.nextInt(3) == 0) {
      Grant last = granted.remove(granted.size() - 1);
      claim.giveBack(new GiveBack(last.stamp(), 1L + random.nextInt((int) last.permits())));
    }
    Optional<CalendarWindow> calendar = spec.calendar();
    if (calendar.isPresent()) {
      long now = micros.get();
      return claim.window(calendar.get().begin(now), calendar.get().end(now)).build();
    }
    return claim.build();
  }
}
