package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WriteBackSettingsTest {
  private static final Duration FLUSH = Duration.ofMillis(100);
  private static final Duration TIMEOUT = Duration.ofMillis(50);

  private static void refuses(
      String rule, Duration flush, Duration timeout, long buckets, int nodes, String node) {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> new WriteBackSettings(flush, timeout, buckets, nodes, node, true));
    assertTrue(refused.getMessage().startsWith(rule), refused::getMessage);
  }

  @Test
  void takesWhatIsWithinItsRange() {
    Duration shortest = Duration.ofMillis(10);
    Duration longest = Duration.ofSeconds(10);
    Duration instant = Duration.ofNanos(1);
    assertEquals(
        shortest, new WriteBackSettings(shortest, instant, 1, 1, "n", true).flushInterval());
    assertEquals(longest, new WriteBackSettings(longest, instant, 1, 1, "n", true).flushInterval());
  }

  @Test
  void refusesWhatIsNotAndNamesTheRule() {
    String flush = "flushInterval must be 10 ms to 10 s";
    refuses(flush, Duration.ofMillis(10).minusNanos(1), TIMEOUT, 1, 1, "n");
    refuses(flush, Duration.ofSeconds(10).plusNanos(1), TIMEOUT, 1, 1, "n");
    refuses("storeTimeout must be positive", FLUSH, Duration.ZERO, 1, 1, "n");
    refuses("storeTimeout must be positive", FLUSH, TIMEOUT.negated(), 1, 1, "n");
    refuses("maxBuckets must be at least 1", FLUSH, TIMEOUT, 0, 1, "n");
    refuses("nodes must be at least 1", FLUSH, TIMEOUT, 1, 0, "n");
    refuses("node must not be empty", FLUSH, TIMEOUT, 1, 1, "");
  }
}
