package io.weir.internal.rules.outcomes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a node decided in an interval, as one text. */
class IntervalOutcomesTest {
  private static OutcomeSums sums(long... counts) {
    return new OutcomeSums(counts[0], counts[1], counts[2], counts[3], counts[4]);
  }

  @Test
  void theTotalsComeFirstThenTheBusiestPoliciesWithoutZerosAtTheEnd() {
    IntervalOutcomes interval =
        IntervalOutcomes.of(
            5_000,
            Map.of(
                "a", sums(1, 0, 0, 0, 0),
                "b", sums(0, 7, 0, 0, 1),
                "c", sums(0, 1, 0, 0, 0),
                "d", sums(0, 0, 0, 30, 0)));
    assertEquals("=1,8,0,30,1 d=0,0,0,30 b=0,7,0,0,1 a=1 c=0,1", interval.text());
    assertEquals("=0", IntervalOutcomes.NONE.text());
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    Seeds.each(
        200,
        random -> {
          Map<String, OutcomeSums> added = new HashMap<>();
          for (int i = random.nextInt(50); i > 0; i--) {
            added.put(
                "p" + random.nextInt(100),
                sums(some(random), some(random), some(random), some(random), some(random)));
          }
          IntervalOutcomes interval = IntervalOutcomes.of(1 + random.nextInt(9_999), added);
          assertEquals(
              interval,
              IntervalOutcomes.parse(interval.millis(), interval.text(), interval.leftOut()));
          assertEquals(0, interval.leftOut());
        });
  }

  private static long some(Random random) {
    return random.nextBoolean() ? 0 : random.nextLong(1L << random.nextInt(1, 60));
  }

  @Test
  void isBoundedAndSaysHowManyPoliciesItLeavesOut() {
    Map<String, OutcomeSums> added = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      added.put("p".repeat(58) + (100_000 + i), sums(i, 0, 0, 0, 0));
    }
    IntervalOutcomes interval = IntervalOutcomes.of(5_000, added);
    assertTrue(interval.text().length() <= IntervalOutcomes.MAX_CHARACTERS);
    assertEquals(10_000, interval.policies().size() + interval.leftOut());
    assertTrue(interval.policies().size() > 400, () -> "" + interval.policies().size());
    assertEquals(
        9_999L * 10_000 / 2, interval.totals().admitted(), "the totals have those left out");
    assertTrue(
        interval.policies().values().stream().allMatch(each -> each.admitted() > 9_000),
        "the least busy are left out");
  }

  @Test
  void anotherTextIsRefused() {
    for (String text : List.of("", "x", "a=1,", "a=1,2,3,4,5,6", "a=-1", "a=x", "=1  a=1")) {
      assertThrows(IllegalArgumentException.class, () -> IntervalOutcomes.parse(1, text, 0), text);
    }
  }
}
