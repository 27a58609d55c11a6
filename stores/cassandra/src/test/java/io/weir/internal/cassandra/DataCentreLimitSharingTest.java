package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Parts of a limit. */
class DataCentreLimitSharingTest {
  @Test
  void addUpToTheLimit() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long limit = random.nextInt(4) == 0 ? 1L << 40 : random.nextInt(200);
      long sum = 0;
      int from = 0;
      while (from < 100) {
        int share = 1 + random.nextInt(100 - from);
        long part = DataCentreLimitSharing.part(limit, from, share);
        assertTrue(Math.abs(part - limit * share / 100.0) <= 1, limit + " " + from + " " + share);
        sum += part;
        from += share;
      }
      assertEquals(limit, sum);
    }
  }
}
