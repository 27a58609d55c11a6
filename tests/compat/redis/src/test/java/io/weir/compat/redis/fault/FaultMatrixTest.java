package io.weir.compat.redis.fault;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.RedisServer;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every fault of a connection at every moment, and every trouble of a Redis itself, before each
 * kind of Redis. Unless {@code -Pdeep} is given, a quarter of these each day: each fault once
 * before each kind, at another moment each, and each trouble before one kind. {@code
 * -Dweir.test.cell=} runs only those whose names have this text.
 */
class FaultMatrixTest {
  private static final int ENOUGH = 200;
  private static final int KINDS = 3;
  private static final int CLUSTER = 2;
  private static final int ONE_IN = 4;
  private static final int ONE_IN_FAR_AWAY = 9;
  private static final List<Integer> DISTANCES = List.of(2, 5, 20, 50);
  private static final boolean ALL = Seeds.deep();
  private static final String ONLY = System.getProperty("weir.test.cell", "");

  /** Around the time-out of a decision, and always beyond it. */
  private static final Slow AROUND = new Slow(40, 260);

  private static final Slow BEYOND = new Slow(200, 260);
  private static final Summary SUMMARY = new Summary();

  @TestFactory
  Stream<DynamicTest> oneRedisAlone() {
    return cells(0, "alone", ONE_IN, ProxiedRedis::alone, new Failover());
  }

  @TestFactory
  Stream<DynamicTest> oneThatASentinelWatches() {
    return cells(1, "sentinel", ONE_IN, ProxiedRedis::watched, new Failover());
  }

  @TestFactory
  Stream<DynamicTest> theMastersOfACluster() {
    return cells(CLUSTER, "cluster", ONE_IN, ProxiedRedis::cluster, Migration.values());
  }

  /** Two of the faults each day, at another distance each; all at all distances with -Pdeep. */
  @TestFactory
  Stream<DynamicTest> oneRedisFarAway() {
    return Seeds.today(DISTANCES, DISTANCES.size()).stream()
        .flatMap(
            millis ->
                cells(
                    0,
                    millis + " ms away",
                    ONE_IN_FAR_AWAY,
                    () -> ProxiedRedis.away(Duration.ofMillis(millis)),
                    new Failover()));
  }

  @AfterAll
  static void tell() {
    System.out.println(SUMMARY);
  }

  private static Stream<DynamicTest> cells(
      int kind, String name, int oneIn, Supplier<ProxiedRedis> start, Mishap... own) {
    AtomicReference<Place> place = new AtomicReference<>();
    List<DynamicTest> cells = new ArrayList<>();
    List<Mishap> all = mishaps(kind, own);
    for (Mishap mishap : ONLY.isEmpty() ? Seeds.today(all, oneIn) : all) {
      String cell = name + ", " + mishap.title();
      if (cell.contains(ONLY)) {
        cells.add(DynamicTest.dynamicTest(cell, () -> run(cell, started(place, start), mishap)));
      }
    }
    cells.add(DynamicTest.dynamicTest(name + " ends", () -> close(place)));
    return cells.stream();
  }

  private static List<Mishap> mishaps(int kind, Mishap... own) {
    List<Mishap> mishaps = new ArrayList<>();
    int number = kind;
    for (Fault fault : Fault.values()) {
      List<Moment> moments = List.of(Moment.values());
      for (Moment moment : ALL ? moments : List.of(moments.get(number++ % KINDS))) {
        mishaps.add(new CallFault(fault, moment));
      }
    }
    for (Slow slow : List.of(AROUND, BEYOND)) {
      if (ALL || slow.equals(AROUND)) {
        mishaps.add(slow);
      }
    }
    number = kind;
    for (Recipe recipe : Recipe.values()) {
      if ((ALL || number++ % KINDS == 0) && (kind < CLUSTER || recipe.inCluster())) {
        mishaps.add(recipe);
      }
    }
    mishaps.addAll(Arrays.asList(own));
    return mishaps;
  }

  private static Place started(AtomicReference<Place> place, Supplier<ProxiedRedis> start) {
    return place.updateAndGet(open -> open == null ? Place.of(start.get()) : open);
  }

  private static void close(AtomicReference<Place> place) throws Exception {
    Place open = place.get();
    if (open != null) {
      open.close();
    }
  }

  private static void run(String cell, Place place, Mishap mishap) {
    ProxiedRedis redis = place.redis();
    long seen;
    try (Trial trial = new Trial(place.nodes(), cell, redis.roundTrip())) {
      trial.begin();
      try {
        mishap.begin(redis);
        trial.await(ENOUGH, mishap.cutsOff(), () -> mishap.seen(redis) > 0);
        seen = mishap.seen(redis);
      } finally {
        mishap.end(redis);
      }
      trial.heal();
      trial.end();
      assertTrue(seen > 0, "it never happened");
      assertTrue(!mishap.cutsOff() || trial.degraded() >= ENOUGH, "no request noticed");
      SUMMARY.add(cell, seen, trial);
    }
  }

  /** A store and the nodes on it. */
  private record Place(ProxiedRedis redis, Pair nodes) implements AutoCloseable {
    static Place of(ProxiedRedis redis) {
      return new Place(redis, new Pair(redis.url(), RedisServer.prefix()).acquainted(Trial.POLICY));
    }

    @Override
    public void close() throws Exception {
      nodes.close();
      redis.close();
    }
  }
}
