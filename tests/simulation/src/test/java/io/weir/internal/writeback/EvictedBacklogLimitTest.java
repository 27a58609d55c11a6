package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Of evicted buckets as many are kept as are cached, or twice as many if they owe. */
@ExtendWith(Hushed.class)
class EvictedBacklogLimitTest {
  private final EvictedBacklogLimit leftovers = new EvictedBacklogLimit(2);

  @Test
  void keepsAsManyAsItMayForWhatTheyGiveBack() {
    assertTrue(leftovers.keeps(false));
    assertTrue(leftovers.keeps(false));
    assertFalse(leftovers.keeps(false));
    assertEquals(2, leftovers.kept());
    leftovers.release();
    assertTrue(leftovers.keeps(false));
    assertEquals(0, Hushed.lines().size(), "what is lost ages out");
  }

  @Test
  void keepsTwiceAsManyForWhatTheyOweAndWarnsOnceThatMoreIsForgotten() {
    for (int i = 0; i < 4; i++) {
      assertTrue(leftovers.keeps(true));
    }
    assertEquals(0, Hushed.lines().size());
    assertFalse(leftovers.keeps(true));
    assertFalse(leftovers.keeps(true));
    assertEquals(4, leftovers.kept());
    assertEquals(1, Hushed.lines().size());
    assertTrue(Hushed.lines().get(0).contains("weir.write-back.max-buckets"));
  }
}
