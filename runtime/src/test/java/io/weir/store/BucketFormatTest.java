package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes of a bucket: what they are, and what is refused. */
class BucketFormatTest {
  private static final long NOW = 1_700_000_040_000_000L;
  private static final BucketArithmetic EXACT = BucketArithmetic.exact();

  /**
   * These bytes are in people's databases. A change of what is written gives the format a new
   * number, and keeps reading these.
   */
  @ParameterizedTest
  @CsvSource({
    "FIXED_WINDOW, 0, 01010080c6f6d5c1c482038801",
    "SLIDING_WINDOW, 0, 01020080c6f6d5c1c482030706038201",
    "SLIDING_LOG, 0, 01030080c6f6d5c1c48203ffa3e8030004a0c21e0002a0cb9801008201",
    "TOKEN_BUCKET, 0, 01040080c6f6d5c1c48203641400810180dac40901fd849f03ff849f0301c0d89e018201",
    "LEAKY_BUCKET, 0, 01040080c6f6d5c1c48203641400810180dac40901fd849f03ff849f0301c0d89e018201",
    "FIXED_WINDOW, 5000, 0101882780c6f6d5c1c482038801",
    "SLIDING_WINDOW, 5000, 0102882780c6f6d5c1c482030706038201",
    "SLIDING_LOG, 5000, 0103882780c6f6d5c1c48203ff9aee020006c08db701008201",
    "TOKEN_BUCKET, 5000,"
        + " 0304882780c6f6d5c1c482030000641400810180b4891301fd849f03ff849f0301c0d89e018201",
    "LEAKY_BUCKET, 5000,"
        + " 0304882780c6f6d5c1c482030000641400810180b4891301fd849f03ff849f0301c0d89e018201"
  })
  void goldenBytes(Algorithm algorithm, long minLife, String expected) {
    BucketArithmetic arithmetic = minLife == 0 ? EXACT : BucketArithmetic.leasing(minLife);
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      byte[] bytes = used(arithmetic, algorithm);
      assertEquals(expected, HexFormat.of().formatHex(bytes), algorithm + " " + minLife);
    } finally {
      Locale.setDefault(before);
    }
  }

  private static byte[] used(BucketArithmetic arithmetic, Algorithm algorithm) {
    BucketId bucket = BucketArithmeticTest.bucket(algorithm);
    LiveBucket live = arithmetic.fresh(bucket.spec());
    Grant first = live.execute(Claim.of(bucket, 5, 100, 20), NOW);
    live.execute(Claim.of(bucket, 2, 100, 20), NOW + 500_000);
    live.execute(Claim.of(bucket, 300, 100, 20), NOW + 700_000);
    GiveBack unused = new GiveBack(first.stamp(), 1);
    live.execute(Claim.builder(bucket, 100, 20).giveBack(unused).build(), NOW + 2_100_001);
    live.execute(Claim.builder(bucket, 100, 20).debt(130).build(), NOW + 3_000_000);
    live.execute(Claim.of(bucket, 1, 100, 20), NOW + 4_000_000);
    return live.toBytes();
  }

  @ParameterizedTest
  @CsvSource({
    "FIXED_WINDOW, 02018827a0c188d4c1c4820303e080c81c05",
    "SLIDING_WINDOW, 02028827a0c188d4c1c4820303e0a4b02000020703"
  })
  void goldenBytesOfFarLeases(Algorithm algorithm, String expected) {
    BucketId bucket = BucketArithmeticTest.bucket(algorithm);
    BucketArithmetic arithmetic = BucketArithmetic.leasing(5_000);
    LiveBucket live = arithmetic.fresh(bucket.spec());
    Grant far = live.execute(Claim.builder(bucket, 100, 100).needed(1).far(4).build(), NOW);
    GiveBack settled = new GiveBack(far.stamp(), 0, 2);
    live.execute(Claim.builder(bucket, 100, 100).giveBack(settled).build(), NOW + 100_000);
    assertEquals(expected, HexFormat.of().formatHex(live.toBytes()), algorithm::name);
  }

  /** Buckets of format 1 don't say what has drained ahead: all that may have counts as used. */
  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"TOKEN_BUCKET", "LEAKY_BUCKET"})
  void readsALevelWithoutWhatHasDrainedAhead(Algorithm algorithm) {
    BucketId bucket = BucketArithmeticTest.bucket(algorithm);
    BucketArithmetic arithmetic = BucketArithmetic.leasing(5_000);
    LiveBucket live = arithmetic.fresh(bucket.spec());
    live.execute(Claim.of(bucket, 18, 100, 20), NOW);
    String now = HexFormat.of().formatHex(live.toBytes());
    assertTrue(now.startsWith("0304882780b482d4c1c482030000"), now);
    byte[] before = HexFormat.of().parseHex(now.replaceFirst("03(.{22})0000", "01$1"));
    Claim look = Claim.peek(bucket, 1, 100, 20);
    assertEquals(2, live.execute(look, NOW).left(), "nothing has drained ahead");
    assertEquals(
        1, arithmetic.execute(before, look, NOW).grant().left(), "a third of one may have");
    assertEquals(2, arithmetic.execute(before, look, NOW + 200_000).grant().left());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void isCompact(Algorithm algorithm) {
    BucketId bucket = BucketArithmeticTest.bucket(algorithm);
    LiveBucket live = EXACT.fresh(bucket.spec());
    live.execute(Claim.of(bucket, 5, 100, 20), NOW);
    assertTrue(live.toBytes().length <= 24, () -> live.toBytes().length + " bytes");
    long now = NOW;
    for (int i = 0; i < 1_000; i++) {
      now += 60_000;
      live.execute(Claim.of(bucket, 1, 1_000_000, 1_000_000), now);
    }
    int most = algorithm == Algorithm.SLIDING_LOG ? 5 * 1_000 + 40 : 4 * 60 + 40;
    assertTrue(live.toBytes().length <= most, () -> live.toBytes().length + " bytes");
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void nothingMayBeMissingOrLeftOver(Algorithm algorithm) {
    BucketSpec spec = BucketArithmeticTest.bucket(algorithm).spec();
    byte[] bytes = used(EXACT, algorithm);
    boolean entries = algorithm != Algorithm.FIXED_WINDOW;
    int refused = 0;
    for (int length = 0; length < bytes.length; length++) {
      refused += isRead(spec, Arrays.copyOf(bytes, length)) ? 0 : 1;
    }
    // Charges go on to the end, so one that lacks a whole charge looks like one with fewer charges.
    assertTrue(refused >= bytes.length - (entries ? 4 : 0), refused + " of " + bytes.length);
    assertTrue(!isRead(spec, Arrays.copyOf(bytes, bytes.length + 1)));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void damagedBytesAreRefusedOrCountSomethingElse(Algorithm algorithm) {
    BucketId bucket = BucketArithmeticTest.bucket(algorithm);
    Random random = new Random(7);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      BucketArithmetic arithmetic = i % 2 == 0 ? EXACT : BucketArithmetic.leasing(5_000);
      byte[] bytes = used(arithmetic, algorithm);
      for (int flips = random.nextInt(3); flips >= 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Claim claim = Claim.of(bucket, 1, 100, 20);
      try {
        Grant grant = arithmetic.execute(bytes, claim, NOW + random.nextInt(1_000_000)).grant();
        assertTrue(grant.permits() <= 1 && grant.left() >= 0, grant::toString);
      } catch (BucketFormatException wrong) {
        refused++;
      }
    }
    assertTrue(refused > 4_000, "refused " + refused);
  }

  @Test
  void saysWhichRuleIsBroken() {
    assertWrong("ends", "they end where the format is missing", "");
    assertWrong(
        "later",
        "format 4 is of a later version of Weir; this one reads formats up to 3",
        "0401008080");
    assertWrong("no format", "the format must be 1 to", "00");
    assertWrong("another algorithm", "the algorithm must be 1, FIXED_WINDOW, not 2", "0102000000");
    assertWrong("another life", "the life of grants must be 0 µs, not 5000 µs", "010188270505");
    assertWrong("overlong", "must be written in as few bytes as possible", "010100810000");
    assertWrong("too long", "must be a number of at most 63 bits", "010100ffffffffffffffffffff01");
    assertWrong(
        "too late", "the time of the last claim must be 0 to", "010100ffffffffffffffff7f00");
    assertWrong("too much", "the permits used must be 0 to", "01010005ffffffffffffff7f");
    assertWrong("too long open", "how long far leases count must be 0 to", "020100050481aaea5505");
    assertWrong("left over", "1 bytes are left over", "010100050500");
  }

  private static void assertWrong(String what, String rule, String hex) {
    BucketId bucket = BucketArithmeticTest.bucket(Algorithm.FIXED_WINDOW);
    byte[] bytes = HexFormat.of().parseHex(hex);
    Claim claim = Claim.of(bucket, 1, 10, 10);
    BucketFormatException wrong =
        assertThrows(BucketFormatException.class, () -> EXACT.execute(bytes, claim, NOW), what);
    assertTrue(wrong.getMessage().contains(rule), wrong.getMessage());
  }

  private static boolean isRead(BucketSpec spec, byte[] bytes) {
    try {
      EXACT.read(spec, bytes);
      return true;
    } catch (BucketFormatException wrong) {
      return false;
    }
  }
}
