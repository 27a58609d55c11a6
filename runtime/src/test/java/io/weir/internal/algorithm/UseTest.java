package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The permits of a caller that always takes all there are. */
class UseTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final int WINDOWS = 300;

  @ParameterizedTest
  @CsvSource({
    "FIXED_WINDOW, 100, 60000000, 1000",
    "SLIDING_LOG, 100, 60000000, 1000",
    "SLIDING_LOG, 4000, 1000000, 990",
    "TOKEN_BUCKET, 100, 60000000, 1000",
    "SLIDING_WINDOW, 10, 10000000, 980",
    "SLIDING_WINDOW, 100, 60000000, 980",
    "SLIDING_WINDOW, 7, 10007, 980",
    "SLIDING_WINDOW, 1000, 3600000000, 980",
  })
  void isAtLeastSoManyThousandthsOfTheLimit(
      Algorithm algorithm, long limit, long window, long thousandths) {
    Claims limits = Claims.of(algorithm, window, limit);
    BucketState state = limits.state(0);
    long granted = 0;
    long end = NOW + WINDOWS * window;
    for (long now = NOW; now < end; ) {
      var grant = state.execute(limits.upTo(limit), now);
      granted += grant.permits();
      now += Math.max(1, grant.retry());
    }
    long use = granted * 1_000 / (limit * WINDOWS);
    assertTrue(use >= thousandths, "use is " + use + " of 1000");
  }

  @Test
  void aLogBeyondItsEntriesGivesUpLessThanAThousandthAndAdmitsNothingMore() {
    Claims limits = Claims.of(Algorithm.SLIDING_LOG, 1_000_000, 50_000);
    BucketState state = limits.state(0);
    NaiveCount twin = new NaiveCount(1_000_000);
    for (long i = 0; i < 400_000; i++) {
      long now = NOW + i * 11;
      // First one by one, so that they must be merged; then whatever comes back at once.
      long wish = now < NOW + 900_000 ? 1 : 100;
      long granted = state.execute(limits.upTo(wish), now).permits();
      twin.add(now, granted);
      assertTrue(twin.inLastWindow(now) <= 50_000, "over the limit at " + i);
    }
    double ideal = 400_000 * 11 / 1e6 * 50_000;
    assertTrue(twin.total >= ideal * 0.999, "use is " + twin.total / ideal);
  }

  @Test
  void aLogGivesBackWhatItHasMerged() {
    Claims limits = Claims.of(Algorithm.SLIDING_LOG, 1_000_000, 50_000);
    BucketState state = limits.state(0);
    long[] stamps = new long[20_000];
    for (int i = 0; i < stamps.length; i++) {
      stamps[i] = state.execute(limits.take(1), NOW + i * 11L).stamp();
    }
    long now = NOW + stamps.length * 11L;
    for (long stamp : stamps) {
      state.execute(limits.back(stamp, 1), now);
    }
    assertEquals(50_000, state.execute(limits.look(1), now).left());
  }

  @Test
  void aCondensedLogHasFewEntriesAndGivesNothingBackEarlierAndLittleLater() {
    Claims limits = Claims.of(Algorithm.SLIDING_LOG, 60_000_000, 4_000);
    SlidingLog log = new SlidingLog(60_000_000, 0);
    for (int i = 0; i < 4_000; i++) {
      log.execute(limits.take(1), NOW + i * 14_000L);
    }
    assertEquals(4_000, log.entries());
    SlidingLog condensed = (SlidingLog) log.condensed();
    assertTrue(condensed.entries() <= 60, condensed.entries() + " entries");
    for (long now = NOW + 56_000_000; now < NOW + 118_000_000; now += 100_000) {
      long left = condensed.copy().execute(limits.look(1), now).left();
      assertTrue(left <= log.copy().execute(limits.look(1), now).left(), "not earlier");
      long before =
          log.copy().execute(limits.look(1), Math.max(NOW + 56_000_000, now - 2_000_000)).left();
      assertTrue(left >= before, "at most two slots later");
    }
  }

  /** Admissions of the last window in a ring of times. */
  private static final class NaiveCount {
    private final long window;
    private final ArrayDeque<Long> times = new ArrayDeque<>();
    private long total;

    NaiveCount(long window) {
      this.window = window;
    }

    void add(long now, long permits) {
      for (long i = 0; i < permits; i++) {
        times.add(now);
      }
      total += permits;
    }

    int inLastWindow(long now) {
      while (!times.isEmpty() && times.peek() <= now - window) {
        times.remove();
      }
      return times.size();
    }
  }
}
