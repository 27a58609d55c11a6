package io.weir.seeds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TurnConditionTest {
  interface Contract {
    @Test
    default void first() {}

    @Test
    default void second() {}

    @Test
    default void third() {}

    @Test
    default void fourth() {}

    @DeepOnly
    @Test
    default void deep() {}
  }

  @RunOneIn(1)
  static class Whole implements Contract {
    @Test
    void own() {}

    void helper() {}
  }

  @RunOneIn(2)
  static class Sampled implements Contract {}

  @RunOneIn(20)
  static class Few implements Contract {}

  @OneDayIn(2)
  static class EveryOtherDay implements Contract {}

  @OneDayIn(2)
  @RunOneIn(2)
  static class FewEveryOtherDay implements Contract {}

  @RunOneIn(value = 5, own = true)
  static class OwnToo implements Contract {
    @Test
    void own() {}
  }

  private static RunOneIn oneIn(Class<?> tests) {
    return tests.getAnnotation(RunOneIn.class);
  }

  private static List<String> on(long day, Class<?> tests) {
    List<Method> all = TurnCondition.all(tests, oneIn(tests));
    return TurnCondition.on(day, tests, all, oneIn(tests).value()).stream()
        .map(Method::getName)
        .toList();
  }

  private static Set<String> within(int days, Class<?> tests) {
    return LongStream.range(20_000, 20_000 + days)
        .mapToObj(day -> on(day, tests))
        .flatMap(List::stream)
        .collect(Collectors.toSet());
  }

  @Test
  void eachMethodHasItsTurnWithinSoManyDays() {
    assertEquals(Set.of("first", "second", "third", "fourth"), within(1, Whole.class));
    assertEquals(Set.of("first", "second", "third", "fourth"), within(2, Sampled.class));
    assertEquals(Set.of("first", "second", "third", "fourth"), within(20, Few.class));
  }

  @Test
  void eachDayRunsAtLeastOneMethod() {
    for (long day = 20_000; day < 20_040; day++) {
      assertFalse(on(day, Few.class).isEmpty(), "day " + day);
    }
  }

  @Test
  void methodsOfTheClassItselfAreNotSampled() {
    assertFalse(within(1, Whole.class).contains("own"));
  }

  @Test
  void methodsOfTheClassItselfTakeTurnsWhereItSaysSo() {
    assertTrue(within(5, OwnToo.class).contains("own"));
  }

  @Test
  void aClassHasItsTurnOnOneDayInSoMany() {
    for (long day = 20_000; day < 20_010; day++) {
      assertTrue(TurnCondition.isDayOf(Sampled.class, day));
      assertEquals(
          TurnCondition.isDayOf(EveryOtherDay.class, 20_000) == (day % 2 == 0),
          TurnCondition.isDayOf(EveryOtherDay.class, day),
          "day " + day);
    }
  }

  @Test
  void eachMethodHasItsTurnOnTheDaysOfItsClass() {
    assertEquals(
        Set.of("first", "second", "third", "fourth"),
        LongStream.range(20_000, 20_004)
            .filter(day -> TurnCondition.isDayOf(FewEveryOtherDay.class, day))
            .mapToObj(day -> on(day, FewEveryOtherDay.class))
            .flatMap(List::stream)
            .collect(Collectors.toSet()));
  }

  @Test
  void aNewTestMovesNoOther() {
    List<Method> all = TurnCondition.all(Sampled.class, oneIn(Sampled.class));
    for (Method added : all) {
      List<Method> before = all.stream().filter(each -> !each.equals(added)).toList();
      for (long day = 20_000; day < 20_010; day++) {
        Set<Method> moved = new HashSet<>(TurnCondition.on(day, Sampled.class, all, 3));
        moved.remove(added);
        moved.removeAll(TurnCondition.on(day, Sampled.class, before, 3));
        assertEquals(Set.of(), moved, "day " + day);
      }
    }
  }

  @Test
  void aLongBuildRunsAllMethods() {
    List<Method> all = TurnCondition.all(Few.class, oneIn(Few.class));
    List<Method> today = TurnCondition.today(Few.class, oneIn(Few.class));
    assertEquals(Seeds.deep() ? all.size() : on(Seeds.turn(), Few.class).size(), today.size());
  }

  @Test
  @DeepOnly
  void runsInLongBuildsOnly() {
    assertEquals(true, Seeds.deep());
  }
}
