package io.weir.seeds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TurnConditionTest {
  interface Contract {
    @Test
    default void first() {}

    @Test
    default void second() {}

    @Test
    default void third() {}
  }

  static class Sampled implements Contract {
    @Test
    void fourth() {}

    void helper() {}
  }

  @Test
  void aPartOfTheMethodsHasItsTurn() {
    assertEquals(Seeds.deep() ? 4 : 2, TurnCondition.today(Sampled.class, 2).size());
    assertEquals(4, TurnCondition.today(Sampled.class, 1).size());
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
