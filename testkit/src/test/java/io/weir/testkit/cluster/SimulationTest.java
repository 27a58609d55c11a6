package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A seed has the same happen each time. */
class SimulationTest {
  @Test
  void theSameSeedHasTheSameHappen() {
    for (long seed = 0; seed < 4; seed++) {
      assertEquals(
          SimulationRun.of(seed).run().toString(), SimulationRun.of(seed).run().toString());
    }
  }
}
