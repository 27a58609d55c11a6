package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clusters that seeds draw keep their promises, whatever happens to them. {@code
 * -Dweir.test.seed=3} runs that one alone and tells all about it, {@code -Dweir.test.seeds=20}
 * twenty times as many.
 */
@ExtendWith(Quiet.class)
class SimulationSeedsTest {
  private static final long SEEDS = 500L * Integer.getInteger("weir.test.seeds", 1);
  private static final boolean ONE = System.getProperty("weir.test.seed") != null;
  private static final long ONLY = Long.getLong("weir.test.seed", 0);

  private static final Tally TALLY = new Tally();

  @BeforeAll
  static void runAll() {
    if (ONE) {
      SimulationReport run = SimulationRun.of(ONLY).run();
      System.out.println(run);
      TALLY.add(run);
    } else {
      LongStream.range(0, SEEDS)
          .parallel()
          .forEach(seed -> TALLY.add(SimulationRun.of(seed).run()));
      System.out.print(TALLY);
    }
  }

  @Test
  void noSeedBreaksAPromise() {
    List<String> failures = TALLY.failures();
    assertEquals(0, failures.size(), () -> String.join("\n", failures));
  }

  @Test
  void theLimitIsUsedThoughMessagesAreLostAndNodesCutOff() {
    assertTrue(ONE || TALLY.use() >= 0.9, () -> "use " + TALLY.use());
  }

  @Test
  void everyKindOfEverythingIsDrawn() {
    if (ONE) {
      return;
    }
    for (Algorithm algorithm : Algorithm.values()) {
      assertTrue(TALLY.times("algorithm", algorithm.name()) > 30, algorithm::name);
    }
    for (Mishap mishap : Mishap.values()) {
      assertTrue(TALLY.times("mishap", mishap.name()) > 30, mishap::name);
    }
    for (String nodes : List.of("1", "2-3", "4-9", "10-32")) {
      assertTrue(TALLY.times("nodes", nodes) > 30, nodes);
    }
    assertTrue(TALLY.times("load", "flicker") > 100);
    assertTrue(TALLY.fewestWindows() >= 20);
    assertTrue(TALLY.fewestFaults() >= 5);
  }
}
