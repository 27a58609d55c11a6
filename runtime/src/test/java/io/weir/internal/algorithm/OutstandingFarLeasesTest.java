package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OutstandingFarLeasesTest {
  private static final long WINDOW = 60_000_000;
  private static final long SLOT = 1_000_000;
  private static final long MIN_LIFE = 5_000;
  private static final long NOW = 1_700_000_040_000_000L;

  private final Claims fixed = Claims.of(Algorithm.FIXED_WINDOW, WINDOW, 160);
  private final Claims sliding = Claims.of(Algorithm.SLIDING_WINDOW, WINDOW, 160);

  @Test
  void livesAnEighthOfTheWindowAndUpToASlotMoreInASlidingWindow() {
    Grant grant = sliding.state(MIN_LIFE).execute(sliding.far(1, 4), NOW + 600_000);
    assertTrue(grant.isFar());
    assertEquals(5, grant.permits());
    assertEquals(155, grant.left());
    assertEquals(8_400_000, grant.life(), "to the end of the slot of 7.5 seconds later");
    assertEquals(2 * ((NOW + 8_100_000) / SLOT) + 1, grant.stamp());
  }

  @Test
  void livesAnEighthOfTheWindowButNotBeyondItInAFixedWindow() {
    BucketState state = fixed.state(MIN_LIFE);
    Grant grant = state.execute(fixed.far(1, 4), NOW);
    assertEquals(5, grant.permits());
    assertEquals(7_500_000, grant.life());
    assertEquals(2 * (NOW / WINDOW) + 1, grant.stamp());
    assertEquals(WINDOW, grant.reset(), "when the window ends");
    assertEquals(1_000, state.execute(fixed.far(1, 1), NOW + WINDOW - 1_000).life());
  }

  @ParameterizedTest
  @CsvSource({
    "160, 1, 32, 12, one more would be more than 12 open",
    "160, 12, 32, 0, what is needed counts as open as well",
    "160, 13, 32, 0, not even that",
    "16, 1, 32, 1, of a small limit an eighth",
    "96, 1, 32, 11, an eighth again",
    "1600, 1, 200, 99, a sixteenth",
    "160, 1, 3, 3, no more than wished"
  })
  void lendsUpToAPartOfTheLimit(long limit, long needed, long wished, long far, String why) {
    for (Algorithm algorithm : List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW)) {
      Claims claims = Claims.of(algorithm, WINDOW, limit);
      Grant grant = claims.state(MIN_LIFE).execute(claims.far(needed, wished), NOW);
      long expected = why.startsWith("one more") ? far - 1 : far;
      assertEquals(needed + expected, grant.permits(), why);
      assertEquals(expected > 0, grant.isFar(), why);
    }
  }

  @ParameterizedTest
  @CsvSource({"70, 9", "111, 6", "118, 1", "119, 0", "150, 0"})
  void lendsAnEighthOfTheRestAndNeverTheLastQuarter(long used, long far) {
    for (Claims claims : List.of(fixed, sliding)) {
      BucketState state = claims.state(MIN_LIFE);
      state.execute(claims.take(used), NOW);
      Grant grant = state.execute(claims.far(1, 9), NOW);
      assertEquals(1 + far, grant.permits(), claims.bucket() + " after " + used);
    }
  }

  @Test
  void lendsNothingIfTheNeededIsntMet() {
    for (Claims claims : List.of(fixed, sliding)) {
      Grant grant = claims.state(MIN_LIFE).execute(claims.far(161, 4), NOW);
      assertEquals(0, grant.permits());
      assertFalse(grant.isFar());
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void lendsNothingWherePermitsAreSpentAtOnce(Algorithm algorithm) {
    Claims claims = Claims.of(algorithm, WINDOW, 160);
    Grant grant = claims.state(0).execute(claims.far(1, 4), NOW);
    assertEquals(1, grant.permits());
    assertFalse(grant.isFar());
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"SLIDING_LOG", "TOKEN_BUCKET", "LEAKY_BUCKET"})
  void lendsNothingByOtherAlgorithms(Algorithm algorithm) {
    Claims claims = Claims.of(algorithm, WINDOW, 160);
    Grant grant = claims.state(MIN_LIFE).execute(claims.far(1, 4), NOW);
    assertEquals(1, grant.permits());
    assertFalse(grant.isFar());
  }

  @Test
  void lendsAgainWhatIsAccountedFor() {
    for (Claims claims : List.of(fixed, sliding)) {
      BucketState state = claims.state(MIN_LIFE);
      Grant first = state.execute(claims.far(1, 32), NOW);
      assertEquals(12, first.permits());
      assertFalse(state.execute(claims.far(1, 4), NOW).isFar(), "12 are open");
      GiveBack settled = new GiveBack(first.stamp(), 3, 2);
      assertEquals(5, state.execute(claims.far(1, 32, settled), NOW).permits());
    }
  }

  @Test
  void forgetsWhatIsNeverAccountedFor() {
    BucketState state = sliding.state(MIN_LIFE);
    state.execute(sliding.far(1, 32), NOW);
    long counts = (8 + 60) * SLOT; // the slot of 7.5 seconds later, and a window and a slot
    assertFalse(state.copy().execute(sliding.far(1, 4), NOW + counts - 1).isFar());
    assertTrue(state.execute(sliding.far(1, 4), NOW + counts).isFar());
    BucketState other = fixed.state(MIN_LIFE);
    other.execute(fixed.far(1, 32), NOW);
    assertFalse(other.copy().execute(fixed.far(1, 4), NOW + WINDOW - 1).isFar());
    assertTrue(other.execute(fixed.far(1, 4), NOW + WINDOW).isFar());
  }

  @Test
  void whatWasSpentComesBackAWindowAfterItIsReported() {
    BucketState state = sliding.state(MIN_LIFE);
    Grant far = state.execute(sliding.far(1, 4), NOW);
    state.execute(sliding.far(0, 0, new GiveBack(far.stamp(), 0, 3)), NOW + 2_500_000);
    long reported = NOW + 3 * SLOT + WINDOW;
    assertEquals(155, state.copy().execute(sliding.look(1), reported - 1).left());
    assertEquals(158, state.copy().execute(sliding.look(1), reported).left());
    long ended = NOW + 8 * SLOT + WINDOW;
    assertEquals(158, state.copy().execute(sliding.look(1), ended - 1).left());
    assertEquals(160, state.execute(sliding.look(1), ended).left());
  }

  @Test
  void neverMovesMoreThanASlotWasCharged() {
    BucketState state = sliding.state(MIN_LIFE);
    Grant far = state.execute(sliding.far(1, 4), NOW);
    assertEquals(5, state.execute(sliding.take(5), NOW + 8 * SLOT).permits(), "another slot");
    state.execute(sliding.far(0, 0, new GiveBack(far.stamp(), 0, 9)), NOW + SLOT);
    assertEquals(150, state.execute(sliding.look(1), NOW + SLOT).left());
  }

  @Test
  void whatIsGivenBackIsFreeAtOnce() {
    for (Claims claims : List.of(fixed, sliding)) {
      BucketState state = claims.state(MIN_LIFE);
      Grant far = state.execute(claims.far(1, 4), NOW);
      Grant after = state.execute(claims.far(0, 0, new GiveBack(far.stamp(), 4, 1)), NOW + SLOT);
      assertEquals(159, after.left());
    }
  }

  @Test
  void aNearGrantMayBeChargedBeforeAFarOne() {
    BucketState state = sliding.state(MIN_LIFE);
    state.execute(sliding.far(1, 4), NOW);
    Grant near = state.execute(sliding.take(3), NOW + 100_000);
    assertEquals(2 * (NOW / SLOT), near.stamp());
    assertEquals(900_000, near.life());
    assertEquals(155, state.copy().execute(sliding.look(1), NOW + WINDOW + SLOT).left());
    assertEquals(160, state.execute(sliding.back(near.stamp(), 8), NOW + WINDOW + 8 * SLOT).left());
  }

  @Test
  void survivesBeingWritten() {
    BucketState state = sliding.state(MIN_LIFE);
    Grant far = state.execute(sliding.far(1, 32), NOW);
    BucketState read = BucketKind.read(sliding.bucket().spec(), MIN_LIFE, state.toBytes());
    assertFalse(read.copy().execute(sliding.far(1, 4), NOW).isFar());
    GiveBack settled = new GiveBack(far.stamp(), 0, 12);
    assertTrue(read.execute(sliding.far(1, 4, settled), NOW).isFar());
    assertThrows(
        IllegalStateException.class,
        () -> Claims.of(Algorithm.SLIDING_LOG, WINDOW, 1).state(MIN_LIFE).lend(1, NOW));
  }

  /** Leases are spent in their last microsecond, or at once, and reported early, late or never. */
  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW"})
  void neverMoreThanTheLimitHoweverLateItIsSpent(Algorithm algorithm) {
    long[] leases = {0};
    Seeds.each(
        40,
        random -> {
          Claims claims = Claims.of(algorithm, WINDOW, 16 + random.nextInt(200));
          leases[0] += spendLate(claims, random);
        });
    assertTrue(leases[0] > 100, "only " + leases[0] + " far leases");
  }

  private static int spendLate(Claims claims, Random random) {
    BucketState state = claims.state(MIN_LIFE);
    List<long[]> spent = new ArrayList<>();
    List<GiveBack> unsettled = new ArrayList<>();
    int leases = 0;
    long now = NOW;
    boolean quiet = true;
    for (int i = 0; i < 400; i++) {
      quiet = random.nextInt(12) == 0 ? !quiet : quiet;
      now += random.nextInt((int) (quiet ? WINDOW / 8 : WINDOW / 200));
      GiveBack[] settled = settled(unsettled, random);
      Grant grant = state.execute(claims.far(1 + random.nextInt(3), quiet ? 8 : 0, settled), now);
      if (grant.isFar()) {
        leases++;
        long unused = random.nextInt((int) grant.permits() + 1);
        long used = grant.permits() - unused;
        boolean late = random.nextBoolean();
        spent.add(new long[] {late ? now + grant.life() - 1 : now, used});
        if (unused > 0 || !late && used > 0) {
          // Only what is spent by now may be reported as spent.
          unsettled.add(new GiveBack(grant.stamp(), unused, late ? 0 : used));
        }
      } else if (grant.permits() > 0) {
        spent.add(
            new long[] {random.nextBoolean() ? now + grant.life() - 1 : now, grant.permits()});
      }
    }
    assertWithin(claims, spent);
    return leases;
  }

  private static GiveBack[] settled(List<GiveBack> unsettled, Random random) {
    unsettled.removeIf(each -> each.permits() + each.spent() == 0 || random.nextInt(20) == 0);
    return unsettled.isEmpty() || random.nextInt(3) > 0
        ? new GiveBack[0]
        : new GiveBack[] {unsettled.remove(random.nextInt(unsettled.size()))};
  }

  private static void assertWithin(Claims claims, List<long[]> spent) {
    spent.sort(Comparator.comparingLong(each -> each[0]));
    boolean fixed = claims.bucket().spec().algorithm() == Algorithm.FIXED_WINDOW;
    for (int i = 0; i < spent.size(); i++) {
      long begin = spent.get(i)[0];
      long end = fixed ? (begin / WINDOW + 1) * WINDOW : begin + WINDOW;
      long sum = 0;
      for (int j = i; j < spent.size() && spent.get(j)[0] < end; j++) {
        sum += spent.get(j)[1];
      }
      assertTrue(sum <= claims.effectiveLimit(), sum + " of " + claims.effectiveLimit());
    }
  }
}
