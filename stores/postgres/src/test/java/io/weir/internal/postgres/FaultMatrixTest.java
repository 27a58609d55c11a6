package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.fault.Fault;
import io.weir.compat.redis.fault.Moment;
import io.weir.compat.redis.fault.Pair;
import io.weir.compat.redis.fault.Summary;
import io.weir.compat.redis.fault.Trial;
import io.weir.seeds.Seeds;
import java.util.ArrayList;
import java.util.List;
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
  private static final String ONLY = System.getProperty("weir.test.cell", "");
  private static final Summary SUMMARY = new Summary();

  private static ProxiedPostgres postgres;
  private static Pair nodes;

  @TestFactory
  Stream<DynamicTest> mishaps() {
    List<PostgresMishap> all = new ArrayList<>();
    for (Fault fault : Fault.values()) {
      for (Moment moment : Moment.values()) {
        all.add(new PostgresMishap.OnTheWay(fault, moment));
      }
    }
    all.add(new PostgresMishap.Slow(40, 260)); // around the time-out of a decision
    all.add(new PostgresMishap.Slow(200, 260)); // always beyond it
    all.addAll(List.of(PostgresTrouble.values()));
    List<PostgresMishap> chosen = ONLY.isEmpty() ? Seeds.today(all, ONE_IN) : all;
    return chosen.stream()
        .filter(each -> each.title().contains(ONLY))
        .map(each -> DynamicTest.dynamicTest(each.title(), () -> run(each)));
  }

  @AfterAll
  static void end() {
    if (postgres != null) {
      nodes.close();
      postgres.close();
    }
    System.out.println(SUMMARY);
  }

  private static void start() {
    if (postgres == null) {
      postgres = new ProxiedPostgres();
      nodes = new Pair(postgres.url(), "weir").acquainted(Trial.POLICY);
    }
  }

  private static void run(PostgresMishap mishap) throws Exception {
    start();
    long seen;
    try (Trial trial = new Trial(nodes, mishap.title())) {
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
      SUMMARY.add(mishap.title(), seen, trial);
    }
  }
}
