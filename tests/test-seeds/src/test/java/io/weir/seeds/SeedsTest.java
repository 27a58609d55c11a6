package io.weir.seeds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeedsTest {
  private static final LocalDate TODAY = LocalDate.of(2026, 11, 22);

  private static Seeds seeds(Map<String, String> properties) {
    return new Seeds(name -> properties.getOrDefault(name, ""), TODAY);
  }

  private static long[] some(int count, Map<String, String> properties) {
    return seeds(properties).some(count).toArray();
  }

  @Test
  void eachDayHasItsOwn() {
    long[] today = some(3, Map.of());
    assertEquals(3, today.length);
    assertEquals(today[0] + 1, today[1]);
    assertNotEquals(today[0], some(1, Map.of("weir.test.day", "2026-11-21"))[0]);
    assertArrayEquals(today, some(3, Map.of("weir.test.day", "2026-11-22")));
  }

  @Test
  void aLongBuildTriesMoreOfTheSameDay() {
    long[] all = some(3, Map.of("weir.test.seeds", "20"));
    assertEquals(60, all.length);
    assertEquals(some(3, Map.of())[0], all[0]);
  }

  @Test
  void aLongBuildMayMultiplyAnotherNumber() {
    assertEquals(2, seeds(Map.of()).some(2, 5).count());
    assertEquals(100, seeds(Map.of("weir.test.seeds", "20")).some(2, 5).count());
  }

  @Test
  void oneThatIsNamedIsTriedAlone() {
    assertArrayEquals(new long[] {3}, some(50, Map.of("weir.test.seed", "3")));
    assertArrayEquals(
        new long[] {3}, some(50, Map.of("weir.test.seed", "3", "weir.test.seeds", "20")));
  }

  @Test
  void everythingHasItsTurn() {
    List<Integer> all = List.of(0, 1, 2, 3, 4, 5, 6);
    Set<Integer> seen = new HashSet<>();
    for (int day = 1; day <= 3; day++) {
      List<Integer> turn =
          seeds(Map.of("weir.test.day", LocalDate.of(2026, 1, day).toString())).turn(all, 3);
      assertEquals(true, turn.size() == 2 || turn.size() == 3);
      seen.addAll(turn);
    }
    assertEquals(Set.copyOf(all), seen);
    assertEquals(all, seeds(Map.of("weir.test.seeds", "20")).turn(all, 3));
  }

  @Test
  void everythingHasItsTurnOnTheDaysOfItsModule() {
    List<Integer> all = List.of(0, 1, 2, 3);
    Set<Integer> seen = new HashSet<>();
    for (int day : new int[] {1, 3, 5, 7}) {
      String date = LocalDate.of(2026, 1, day).toString();
      seen.addAll(seeds(Map.of("weir.test.day", date, "weir.test.turn", "1 of 2")).turn(all, 4));
    }
    assertEquals(Set.copyOf(all), seen);
  }

  @Test
  void turnsMayBeLeftOutOfAShortBuild() {
    assertTrue(seeds(Map.of()).haveTurns());
    assertFalse(seeds(Map.of("weir.test.turns", "all")).haveTurns());
    assertFalse(seeds(Map.of("weir.test.seeds", "20")).haveTurns());
  }
}
