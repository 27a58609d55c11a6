package io.weir.internal.writeback.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Permits spent from a lease are counted, unless the spending was undone. */
class DemandMeterTest {
  private static final long NOW = 5;
  private static final int ENOUGH = 10;

  private final DemandMeter demand = new DemandMeter(0);
  private final Lease lease = new Lease(1, 1_000, 100);

  @Test
  void earnsByRequests() {
    for (int i = 1; i <= ENOUGH; i++) {
      assertFalse(demand.hasEarned());
      lease.spend(2, NOW);
      demand.collect(lease);
      assertEquals(i, demand.earnings());
    }
    assertTrue(demand.hasEarned());
    assertEquals(2 * ENOUGH, demand.sinceFlush());
  }

  @Test
  void earnsNothingByARequestThatIsUndoneAfterItWasCounted() {
    demand.collect(lease);
    lease.spend(1, NOW);
    demand.collect(lease);
    assertTrue(lease.undoSpend(1, NOW));
    demand.collect(lease);
    assertEquals(0, demand.earnings());
    assertEquals(0, demand.sinceFlush());
  }
}
