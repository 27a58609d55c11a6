package io.weir.internal.rules.database.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class SequenceGapsTest {
  private static final Instant UNTIL = Instant.ofEpochSecond(600);

  @Test
  void aMillionNumbersThatAreMissingAreOneRange() {
    SequenceGaps numbers = new SequenceGaps(10);
    numbers.found(1_000_011, UNTIL);
    assertEquals("1000011;11-1000010@600", numbers.position().token());
    numbers.found(500, UNTIL);
    assertEquals("1000011;11-499@600,501-1000010@600", numbers.position().token());
    assertEquals(numbers.position(), SequenceGaps.of(numbers.position()).position());
  }

  @Test
  void whatIsFoundTwiceChangesNothing() {
    SequenceGaps numbers = new SequenceGaps(10);
    numbers.found(13, UNTIL);
    numbers.found(9, UNTIL);
    numbers.found(13, UNTIL);
    assertEquals("13;11-12@600", numbers.position().token());
    numbers.found(11, UNTIL);
    numbers.found(12, UNTIL);
    assertEquals("13;", numbers.position().token());
  }

  @Test
  void aNumberThatWasRolledBackIsNotWaitedForForEver() {
    SequenceGaps numbers = new SequenceGaps(10);
    numbers.found(12, UNTIL);
    numbers.forget(UNTIL);
    assertEquals("12;11-11@600", numbers.position().token());
    numbers.forget(UNTIL.plusSeconds(1));
    assertEquals("12;", numbers.position().token());
  }

  @Test
  void howeverManyAreMissingThereAreAtMostAThousandRangesAndNoneIsLost() {
    SequenceGaps numbers = new SequenceGaps(0);
    for (int i = 2; i <= 10_000; i += 2) {
      numbers.found(i, UNTIL);
    }
    assertTrue(numbers.ranges().size() <= 1000);
    for (long odd = 1; odd < 10_000; odd += 2) {
      long number = odd;
      assertTrue(
          numbers.ranges().stream()
              .anyMatch(range -> range.from() <= number && number <= range.to()),
          "" + odd);
    }
  }
}
