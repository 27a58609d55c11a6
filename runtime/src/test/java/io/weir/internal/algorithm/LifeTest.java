package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.Algorithm;
import io.weir.store.Grant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** For how long a grant may be spent: until the slot ends that it was charged to. */
class LifeTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long WINDOW = 60_000_000;

  @ParameterizedTest
  @CsvSource({
    "FIXED_WINDOW, 100, 0, 300, 59999700",
    "FIXED_WINDOW, 100, 5000, 59999999, 1",
    "SLIDING_WINDOW, 100, 0, 300, 999700",
    "SLIDING_WINDOW, 100, 5000, 994999, 5001",
    "SLIDING_WINDOW, 100, 5000, 995000, 1005000",
    "SLIDING_LOG, 100, 0, 300, 0",
    "SLIDING_LOG, 100, 5000, 994999, 5001",
    "SLIDING_LOG, 100, 5000, 995000, 1005000",
    "TOKEN_BUCKET, 100, 0, 300, 0",
    "TOKEN_BUCKET, 100, 5000, 994999, 5001",
    "TOKEN_BUCKET, 100, 5000, 995000, 1005000",
    "LEAKY_BUCKET, 10, 0, 300, 0",
    "LEAKY_BUCKET, 10, 5000, 94999, 5001",
    "LEAKY_BUCKET, 10, 5000, 95000, 105000",
  })
  void aGrantLivesUntilItsSlotEnds(
      Algorithm algorithm, long limit, long minLife, long at, long life) {
    Claims limits =
        Claims.of(
            algorithm, WINDOW, limit, algorithm == Algorithm.LEAKY_BUCKET ? limit / 10 : limit);
    Grant grant = limits.state(minLife).execute(limits.take(1), NOW + at);
    assertEquals(1, grant.permits());
    assertEquals(life, grant.life());
  }
}
