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

  static class Sampled implements Contract {
    @Test
    void own() {}

    void helper() {}
  }

  @Test
  void aPartOfTheMethodsHasItsTurn() {
    assertEquals(Seeds.deep() ? 4 : 2, TurnCondition.today(Sampled.class, 2).size());
    assertEquals(4, TurnCondition.today(Sampled.class, 1).size());
  }

  @Test
  void methodsOfTheClassItselfAreNotSampled() {
    assertEquals(
        List.of(),
        TurnCondition.today(Sampled.class, 1).stream()
            .map(Method::getName)
            .filter(name -> name.equals("own"))
            .toList());
  }

  @Test
  void aClassWithFewMethodsRunsOneOfThem() {
    assertEquals(Seeds.deep() ? 4 : 1, TurnCondition.today(Sampled.class, 20).size());
  }

  @Test
  @DeepOnly
  void runsInLongBuildsOnly() {
    assertEquals(true, Seeds.deep());
  }
}
