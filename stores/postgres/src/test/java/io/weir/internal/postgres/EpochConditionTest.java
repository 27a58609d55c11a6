package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Answers that arrive in another order than they were made in. */
class EpochConditionTest {
  private static final long OLD = 7;
  private static final long NEW = 8;

  private final EpochCondition condition = new EpochCondition("any");

  @Test
  void noAnswerTakesBeatsBack() {
    condition.hear(OLD, 3);
    condition.hearMore(OLD, 5);
    condition.hearMore(OLD, 4);
    assertEquals(5, condition.heard(OLD));
    condition.hear(OLD, 4);
    assertEquals(5, condition.heard(OLD), "a claim was answered while the question was under way");
    condition.hear(OLD, 6);
    assertEquals(6, condition.heard(OLD));
  }

  @Test
  void aClaimOfTheEpochBeforeChangesNothing() {
    condition.hear(OLD, 3);
    condition.hear(NEW, 0);
    condition.hearMore(OLD, 9);
    assertEquals(0, condition.heard(NEW));
    assertEquals(0, condition.heard(OLD), "it isn't named any more");
    condition.hearMore(NEW, 2);
    assertEquals(2, condition.heard(NEW));
  }
}
