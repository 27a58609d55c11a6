package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.Seeds;
import io.weir.store.BucketFormatException;
import io.weir.store.GcraReply;
import io.weir.store.GcraRequest;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** Tests against worked examples and unbounded integers. Times are in microseconds. */
class GcraTest {
  private static final byte[] NAME = {1};
  private static final long SECOND = 1_000_000;

  private final Gcra bucket = new Gcra();

  /** Six at once, and two seconds for each. */
  private GcraReply take(long quantity, long seconds) {
    return bucket.execute(new GcraRequest(NAME, 5, 30, 60, quantity), seconds * SECOND);
  }

  @Test
  void asManyAsTheBurstAndOneMoreComeAtOnce() {
    assertEquals(new GcraReply(false, 5, -1, 2 * SECOND), take(1, 100));
    assertEquals(new GcraReply(false, 1, -1, 10 * SECOND), take(4, 100));
    assertEquals(new GcraReply(false, 0, -1, 12 * SECOND), take(1, 100));
    assertEquals(new GcraReply(true, 0, 2 * SECOND, 12 * SECOND), take(1, 100));
    assertEquals(new GcraReply(true, 0, SECOND, 11 * SECOND), take(1, 101));
    assertEquals(new GcraReply(false, 0, -1, 12 * SECOND), take(1, 102));
    assertEquals(new GcraReply(false, 5, -1, 2 * SECOND), take(1, 200));
  }

  @Test
  void aRefusalTakesNothing() {
    take(4, 0);
    assertEquals(new GcraReply(true, 2, 2 * SECOND, 8 * SECOND), take(3, 0));
    assertFalse(bucket.isChanged());
    assertEquals(new GcraReply(false, 0, -1, 12 * SECOND), take(2, 0));
    assertTrue(bucket.isChanged());
  }

  @Test
  void nothingOnlyLooks() {
    assertEquals(new GcraReply(false, 6, -1, 0), take(0, 0));
    take(6, 0);
    assertEquals(new GcraReply(false, 0, -1, 12 * SECOND), take(0, 0));
    assertFalse(bucket.isChanged());
  }

  @Test
  void moreThanEverFitsIsRefusedForGood() {
    assertEquals(new GcraReply(true, 6, -1, 0), take(7, 0));
    assertFalse(bucket.isChanged());
    take(1, 0);
    assertEquals(new GcraReply(true, 5, -1, 2 * SECOND), take(Long.MAX_VALUE, 0));
  }

  @Test
  void itExpiresWhenItIsUnused() {
    take(2, 100);
    assertEquals(104 * SECOND, bucket.expiresAt());
    bucket.execute(new GcraRequest(NAME, 5, 7, 1, 1), 200 * SECOND);
    assertEquals(200 * SECOND + 142_858, bucket.expiresAt());
  }

  @Test
  void fractionsOfAMicrosecondAdd() {
    GcraRequest third = new GcraRequest(NAME, 2, 3, 1, 1); // 333,333 1/3 microseconds each
    for (int i = 0; i < 3; i++) {
      assertFalse(bucket.execute(third, 0).limited());
    }
    assertEquals(new GcraReply(true, 0, 333_334, SECOND), bucket.execute(third, 0));
    assertTrue(bucket.execute(third, 333_333).limited());
    assertFalse(bucket.execute(third, 333_334).limited());
    assertEquals(new GcraReply(false, 3, -1, 0), looked(third, 1_333_334));
    assertEquals(new GcraReply(false, 2, -1, 1), looked(third, 1_333_333));
  }

  private GcraReply looked(GcraRequest like, long micros) {
    return bucket.execute(
        new GcraRequest(NAME, like.maxBurst(), like.count(), like.periodMicros() / SECOND, 0),
        micros);
  }

  @Test
  void aClockThatIsSetBackShutsItForNoLongerThanItsBurst() {
    take(1, 1_000_000);
    assertEquals(new GcraReply(true, 0, 2 * SECOND, 12 * SECOND), take(1, 10));
  }

  @Test
  void bytesSayItAll() {
    take(3, 1_700_000_000L);
    byte[] bytes = bucket.toBytes();
    assertEquals(
        new GcraReply(false, 3, -1, 6 * SECOND),
        Gcra.read(bytes)
            .<GcraReply>execute(new GcraRequest(NAME, 5, 30, 60, 0), 1_700_000_000L * SECOND));
    bytes[0] = 9;
    assertThrows(BucketFormatException.class, () -> Gcra.read(bytes));
  }

  @Test
  void whatIsOutOfRangeIsRefused() {
    assertFalse(GcraRequest.isInRange(-1, 1, 1, 1));
    assertFalse(GcraRequest.isInRange(0, 0, 1, 1));
    assertFalse(GcraRequest.isInRange(0, 1, 0, 1));
    assertFalse(GcraRequest.isInRange(0, 1, 1, -1));
    assertFalse(GcraRequest.isInRange(GcraRequest.MAX, 1, GcraRequest.MAX, 1));
    assertTrue(GcraRequest.isInRange(GcraRequest.MAX, GcraRequest.MAX, 1, Long.MAX_VALUE));
    assertTrue(GcraRequest.isInRange(10_000, 10_007, 2_592_000, 1));
    assertThrows(IllegalArgumentException.class, () -> new GcraRequest(NAME, 0, 0, 1, 1));
  }

  /** The same in units of a count-th microsecond. */
  @Test
  void itCountsAsIntegersWithoutABoundDo() {
    Seeds.each(
        300,
        random -> {
          long burst = random.nextInt(4) == 0 ? random.nextInt(1_000_000) : random.nextInt(20);
          long count = 1L + random.nextInt(random.nextBoolean() ? 20 : 1_000_003);
          long period = 1L + random.nextInt(random.nextBoolean() ? 10 : 100_000);
          if (!GcraRequest.isInRange(burst, count, period, 1)) {
            return;
          }
          Gcra tried = new Gcra();
          BigInteger arrival = BigInteger.ZERO;
          BigInteger parts = BigInteger.valueOf(count);
          BigInteger each = BigInteger.valueOf(period * SECOND);
          BigInteger most = each.multiply(BigInteger.valueOf(burst + 1));
          long now = 1_700_000_000L * SECOND;
          for (int i = 0; i < 50; i++) {
            now += (long) (random.nextDouble() * 3 * period * SECOND / count);
            long quantity = random.nextInt((int) Math.min(burst + 2, 1_000));
            GcraReply reply =
                tried.execute(new GcraRequest(NAME, burst, count, period, quantity), now);
            BigInteger time = BigInteger.valueOf(now).multiply(parts);
            BigInteger backlog = arrival.subtract(time).max(BigInteger.ZERO);
            BigInteger after = backlog.add(each.multiply(BigInteger.valueOf(quantity)));
            boolean fits = after.compareTo(most) <= 0;
            if (fits && quantity > 0) {
              arrival = time.add(after);
            }
            BigInteger left = most.subtract(fits ? after : backlog);
            assertEquals(!fits, reply.limited());
            assertEquals(left.divide(each).longValueExact(), reply.remaining());
            assertEquals(up(fits ? after : backlog, parts), reply.resetMicros());
            boolean waits = !fits && quantity <= burst + 1;
            assertEquals(waits ? up(after.subtract(most), parts) : -1, reply.retryMicros());
          }
        });
  }

  private static long up(BigInteger dividend, BigInteger divisor) {
    return dividend.add(divisor).subtract(BigInteger.ONE).divide(divisor).longValueExact();
  }
}
