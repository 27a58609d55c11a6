package io.weir.internal.writeback.debt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When evicted buckets have borrowed last, as far as a table of a fixed size can hold. */
class BorrowedBeforeTest {
  private static final BucketSpec SHAPE =
      BucketSpec.builder("p")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .window(Duration.ofMinutes(1))
          .build();

  /** A minute and a thousandth more, for clocks differ. */
  private static final long WINDOW = 60_060_001;

  private final OvershootAllowance allowance =
      new OvershootAllowance(new OvershootShareHistory(), 10);

  private static BucketId bucket(int number) {
    return new BucketId(SHAPE, Key.of("caller " + number));
  }

  private boolean untouched(int number, long now) {
    return allowance.isUntouched(bucket(number), now);
  }

  @Test
  void isRememberedForAWindow() {
    assertTrue(untouched(1, 100));
    allowance.remember(bucket(1), 100);
    assertFalse(untouched(1, 100 + WINDOW - 1));
    assertTrue(untouched(1, 100 + WINDOW));
  }

  @Test
  void theLatestCounts() {
    allowance.remember(bucket(1), 100);
    allowance.remember(bucket(1), 50);
    assertFalse(untouched(1, 100 + WINDOW - 1));
    allowance.remember(bucket(1), 200);
    assertFalse(untouched(1, 200 + WINDOW - 1));
  }

  @Test
  void othersAreHardlyEverTakenForIt() {
    for (int i = 0; i < 10; i++) {
      allowance.remember(bucket(i), 100);
    }
    long taken = IntStream.range(1_000, 2_000).filter(each -> !untouched(each, 150)).count();
    assertTrue(taken <= 20, "of a thousand " + taken);
    assertEquals(10, IntStream.range(0, 10).filter(each -> !untouched(each, 150)).count());
  }
}
