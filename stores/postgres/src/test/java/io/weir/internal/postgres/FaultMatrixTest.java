package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.fault.Fault;
import io.weir.compat.redis.fault.Moment;
import io.weir.compat.redis.fault.Pair;
import io.weir.compat.redis.fault.Summary;
import io.weir.compat.redis.fault.Trial;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every fault of a connection at every moment, and every trouble of a PostgreSQL itself. Unless
 * {@code -Pdeep} is given, a few of these each day. {@code -Dweir.test.cell=} runs only those whose
 * names have this text.
 */
class FaultMatrixTest {
  private static final int ENOUGH = 200;
  private static final int ONE_IN = 11;
  private static final int ONE_IN_FAR_AWAY = 16;
  private static final List<Integer> DISTANCES = List.of(2, 5, 20, 50);
  private static final String ONLY = System.getProperty("weir.test.cell", "");
  private static final Summary SUMMARY = new Summary();

  @TestFactory
  Stream<DynamicTest> nextDoor() {
    return cells("", ONE_IN, Duration.ZERO);
  }

  /** Two or three of them each day, at another distance; all at all distances with -Pdeep. */
  @TestFactory
  Stream<DynamicTest> farAway() {
    return Seeds.today(DISTANCES, DISTANCES.size()).stream()
        .flatMap(
            millis -> cells(millis + " ms away, ", ONE_IN_FAR_AWAY, Duration.ofMillis(millis)));
  }

  private static Stream<DynamicTest> cells(String where, int oneIn, Duration roundTrip) {
    AtomicReference<Place> place = new AtomicReference<>();
    List<DynamicTest> cells = new ArrayList<>();
    List<PostgresMishap> all = mishaps();
    for (PostgresMishap mishap : ONLY.isEmpty() ? Seeds.today(all, oneIn) : all) {
      String cell = where + mishap.title();
      if (cell.contains(ONLY)) {
        cells.add(
            DynamicTest.dynamicTest(cell, () -> run(cell, started(place, roundTrip), mishap)));
      }
    }
    cells.add(DynamicTest.dynamicTest(where + "ends", () -> close(place)));
    return cells.stream();
  }

  private static List<PostgresMishap> mishaps() {
    List<PostgresMishap> all = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      for (Moment moment : Moment.values()) {
        all.add(new PostgresMishap.OnTheWay(fault, moment));
      }
    }
    all.add(new PostgresMishap.Slow(40, 260)); // around the time-out of a decision
    all.add(new PostgresMishap.Slow(200, 260)); // always beyond it
    all.addAll(List.of(PostgresTrouble.values()));
    return all;
  }

  @AfterAll
  static void end() {
    System.out.println(SUMMARY);
  }

  private static Place started(AtomicReference<Place> place, Duration roundTrip) {
    return place.updateAndGet(open -> open == null ? Place.of(roundTrip) : open);
  }

  private static void close(AtomicReference<Place> place) {
    Place open = place.get();
    if (open != null) {
      open.close();
    }
  }

  private static void run(String cell, Place place, PostgresMishap mishap) throws Exception {
    ProxiedPostgres postgres = place.postgres();
    long seen;
    try (Trial trial = new Trial(place.nodes(), cell, postgres.roundTrip())) {
      trial.begin();
      try {
        mishap.begin(postgres);
        trial.await(ENOUGH, mishap.cutsOff(), () -> mishap.seen(postgres) > 0);
        seen = mishap.seen(postgres);
      } finally {
        mishap.end(postgres);
      }
      trial.heal();
      trial.end();
      assertTrue(seen > 0, "it never happened");
      assertTrue(!mishap.cutsOff() || trial.degraded() >= ENOUGH, "no request noticed");
      SUMMARY.add(cell, seen, trial);
    }
  }

  /** A store and the nodes on it. */
  private record Place(ProxiedPostgres postgres, Pair nodes) implements AutoCloseable {
    static Place of(Duration roundTrip) {
      ProxiedPostgres postgres = new ProxiedPostgres(roundTrip);
      return new Place(postgres, new Pair(postgres.url(), "weir").acquainted(Trial.POLICY));
    }

    @Override
    public void close() {
      nodes.close();
      postgres.close();
    }
  }
}
