package io.weir.internal.rules.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.usage.RefusedCaller;
import io.weir.seeds.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MostRefusedCallersTest {
  private static final int PLACES = 50;

  @Test
  void noCountIsTooLowOrMoreThanItsErrorTooHighAndNobodyWhoWasRefusedOftenIsMissing() {
    Seeds.each(20, MostRefusedCallersTest::countsLikeSomebodyWithoutBounds);
  }

  private static void countsLikeSomebodyWithoutBounds(Random random) {
    MostRefusedCallers sketch = new MostRefusedCallers(PLACES);
    Map<String, Long> exact = new HashMap<>();
    long all = 0;
    for (int i = 0; i < 20_000; i++) {
      // A few are refused often, thousands seldom.
      String caller = "user" + (long) Math.pow(5_000, random.nextDouble());
      long refusals = 1L + random.nextInt(3);
      long hour = i < 10_000 ? 7 : 8;
      sketch.add(caller, refusals, hour);
      exact.merge(caller, refusals, Long::sum);
      all += refusals;
    }
    List<RefusedCaller> top = sketch.top(1_000, 8);
    for (RefusedCaller each : top) {
      long right = exact.getOrDefault(each.caller(), 0L);
      assertTrue(right <= each.refusals(), () -> each + ", not " + right);
      assertTrue(right >= each.refusals() - each.error(), each::toString);
    }
    long often = 2 * all / PLACES;
    Map<String, RefusedCaller> found =
        top.stream().collect(Collectors.toMap(RefusedCaller::caller, each -> each));
    exact.forEach(
        (caller, refusals) -> assertTrue(refusals <= often || found.containsKey(caller), caller));
    assertTrue(top.size() <= 2 * PLACES, "bounded");
  }

  @Test
  void whatWasTwoHoursAgoIsForgotten() {
    MostRefusedCallers sketch = new MostRefusedCallers(PLACES);
    sketch.add("ann", 5, 7);
    assertEquals(List.of(new RefusedCaller("ann", 5, 0)), sketch.top(10, 8));
    sketch.add("ann", 1, 8);
    assertEquals(List.of(new RefusedCaller("ann", 6, 0)), sketch.top(10, 8));
    assertEquals(List.of(new RefusedCaller("ann", 1, 0)), sketch.top(10, 9));
    assertEquals(List.of(), sketch.top(10, 11));
  }

  @Test
  void aCallerThatIsRemovedIsGoneFromBothHours() {
    MostRefusedCallers sketch = new MostRefusedCallers(PLACES);
    sketch.add("ann", 5, 7);
    sketch.add("ann", 5, 8);
    sketch.removeIf("ann"::equals);
    assertEquals(List.of(), sketch.top(10, 8));
  }
}
