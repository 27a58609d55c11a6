package io.weir.seeds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.List;
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

  @RunOneIn(value = 5, own = true)
  static class OwnToo implements Contract {
    @Test
    void own() {}
  }

  private static List<Method> methods(Class<?> tests) {
    return TurnCondition.today(tests, tests.getAnnotation(RunOneIn.class));
  }

  private static int today(Class<?> tests) {
    return methods(tests).size();
  }

  @Test
  void aPartOfTheMethodsHasItsTurn() {
    assertEquals(4, today(Whole.class));
    assertEquals(Seeds.deep() ? 4 : 2, today(Sampled.class));
  }

  @Test
  void methodsOfTheClassItselfAreNotSampled() {
    assertEquals(
        List.of(),
        methods(Whole.class).stream()
            .map(Method::getName)
            .filter(name -> name.equals("own"))
            .toList());
  }

  @Test
  void methodsOfTheClassItselfTakeTurnsWhereItSaysSo() {
    assertEquals(Seeds.deep() ? 5 : 1, today(OwnToo.class));
  }

  @Test
  void aClassWithFewMethodsRunsOneOfThem() {
    assertEquals(Seeds.deep() ? 4 : 1, today(Few.class));
  }

  @Test
  @DeepOnly
  void runsInLongBuildsOnly() {
    assertEquals(true, Seeds.deep());
  }
}
