package io.weir.internal.writeback.debt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The remembered charges are never fewer than those that still count in the store. */
class RecoverableChargesTest {
  private static final long COUNTS = 1_000;

  @Test
  void forgetsNothingThatCountsAndLittleThatDoesNot() {
    Random random = new Random(7);
    RecoverableCharges granted = new RecoverableCharges(Algorithm.SLIDING_WINDOW);
    List<long[]> all = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 2_000; i++) {
      now += random.nextInt(random.nextInt(50) == 0 ? 3_000 : 60);
      long permits = random.nextInt(20);
      granted.add(permits, now, now + COUNTS);
      all.add(new long[] {now, permits});
      long time = now + random.nextInt(30);
      long total = granted.total(time);
      assertTrue(total >= since(all, time - COUNTS), "too few at " + time);
      assertTrue(total <= since(all, time - COUNTS * 3 / 2 - 2), "too many at " + time);
      now = time;
    }
  }

  @Test
  void countsWhatWasGrantedWithoutDebtsAndForgetsNoneOfItForThem() {
    for (Algorithm algorithm : Algorithm.values()) {
      Random random = new Random(11);
      RecoverableCharges charges = new RecoverableCharges(algorithm);
      List<long[]> granted = new ArrayList<>();
      long now = 0;
      for (int i = 0; i < 2_000; i++) {
        now += random.nextInt(random.nextInt(50) == 0 ? 3_000 : 200);
        long permits = random.nextInt(20);
        charges.add(permits, now, now + COUNTS);
        granted.add(new long[] {now, permits});
        charges.addDebts(random.nextInt(4) == 0 ? random.nextInt(20) : 0, now, now + COUNTS);
        long time = now + random.nextInt(300);
        assertTrue(
            charges.granted(time) >= since(granted, time - COUNTS),
            () -> "too few of " + algorithm + " at " + time);
        assertTrue(charges.granted(time) <= charges.total(time));
        now = time;
      }
    }
  }

  private static long since(List<long[]> all, long after) {
    return all.stream().filter(each -> each[0] > after).mapToLong(each -> each[1]).sum();
  }

  @Test
  void endsWithAFixedWindow() {
    RecoverableCharges granted = new RecoverableCharges(Algorithm.FIXED_WINDOW);
    granted.add(5, 100, 1_000);
    granted.add(2, 900, 1_000);
    assertEquals(7, granted.total(999));
    assertEquals(1_000, granted.until());
    assertEquals(0, granted.total(1_000));
    granted.add(3, 1_100, 2_000);
    assertEquals(3, granted.total(1_999));
  }

  @Test
  void aLateAnswerOfTheWindowBeforeEndsNothing() {
    RecoverableCharges granted = new RecoverableCharges(Algorithm.FIXED_WINDOW);
    granted.add(5, 100, 1_000);
    granted.add(2, 110, 130);
    assertEquals(7, granted.total(129));
    assertEquals(7, granted.total(999));
    assertEquals(0, granted.total(1_000));
  }

  @Test
  void aFarLeaseCountsLongerThanWhatIsChargedBesideIt() {
    RecoverableCharges granted = new RecoverableCharges(Algorithm.SLIDING_WINDOW);
    granted.add(1, 0, 1_020);
    granted.add(5, 509, 509 + 1_140);
    granted.add(1, 509, 509 + 1_020);
    assertEquals(7, granted.total(509 + 1_139));
  }

  @Test
  void aFarLeaseOfAFixedWindowCountsUntilThatEnds() {
    BucketSpec spec = BucketSpec.builder("p").algorithm(Algorithm.FIXED_WINDOW).build();
    Grant far = Grant.builder().granted(3, 1, 7_500_000).reset(50_000_000).far(true).build();
    assertEquals(50_000_000, RecoverableCharges.counts(spec, 100, 100, far));
  }

  @Test
  void isNoMoreThanAllThatIsUsed() {
    RecoverableCharges granted = new RecoverableCharges(Algorithm.TOKEN_BUCKET);
    granted.add(50, 0, COUNTS);
    granted.atMost(20);
    assertEquals(20, granted.total(1));
    granted.add(5, 2, COUNTS); // by an answer that came late
    granted.beyond(5);
    assertEquals(25, granted.total(2));
  }

  @Test
  void loosesWhatWasGivenBackButNotMore() {
    RecoverableCharges granted = new RecoverableCharges(Algorithm.SLIDING_WINDOW);
    granted.add(4, 0, COUNTS);
    granted.add(6, 600, 600 + COUNTS);
    granted.subtract(7);
    assertEquals(3, granted.total(600));
    assertEquals(3, granted.total(600 + COUNTS - 1), "the newer ones are what is left");
    granted.subtract(9);
    assertEquals(0, granted.total(601));
  }

  @Test
  void whatIsGivenBackIsTakenFromTheOldestFirst() {
    RecoverableCharges granted = new RecoverableCharges(Algorithm.SLIDING_WINDOW);
    granted.add(4, 0, COUNTS);
    granted.add(6, 600, 600 + COUNTS);
    granted.add(5, 1_100, 1_100 + COUNTS);
    granted.subtract(12);
    assertEquals(3, granted.total(1_100));
    granted.add(9, 1_100, 1_100 + COUNTS);
    granted.subtract(0);
    assertEquals(12, granted.total(1_100 + COUNTS - 1));
  }

  @Test
  void endsWhenTheLastPartIsDropped() {
    RecoverableCharges granted = new RecoverableCharges(Algorithm.SLIDING_WINDOW);
    granted.add(4, 0, COUNTS);
    for (long now : new long[] {0, 499, 500, 999, 1_000, 1_499}) {
      assertEquals(4, granted.total(now));
      assertEquals(1_500, granted.until(), () -> "at " + now);
    }
    assertEquals(0, granted.total(1_500));
  }

  @Test
  void goesOnFromWhatWasRemembered() {
    for (Algorithm algorithm : Algorithm.values()) {
      RecoverableCharges granted = new RecoverableCharges(algorithm, 8, 500);
      assertEquals(8, granted.total(499), algorithm::name);
      assertEquals(500, granted.until(), algorithm::name);
      assertEquals(0, granted.total(500), algorithm::name);
    }
    RecoverableCharges more = new RecoverableCharges(Algorithm.SLIDING_LOG, 8, 500);
    more.add(2, 100, 100 + COUNTS);
    more.atMost(Long.MAX_VALUE);
    assertEquals(10, more.total(499));
    assertEquals(2, more.total(100 + COUNTS - 1));
  }

  @ParameterizedTest
  @CsvSource({
    "FIXED_WINDOW, 300",
    "SLIDING_WINDOW, 60000300",
    "SLIDING_LOG, 60000300",
    "TOKEN_BUCKET, 30000301",
    "LEAKY_BUCKET, 30000301"
  })
  void countsForAsLongAsTheStoreMay(Algorithm algorithm, long micros) {
    BucketSpec spec =
        BucketSpec.builder("p").algorithm(algorithm).window(Duration.ofMinutes(1)).build();
    assertEquals(
        micros,
        RecoverableCharges.counts(spec, 100, 50, Grant.builder().granted(1, 0, 300).build()));
  }
}
