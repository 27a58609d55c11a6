package io.weir.internal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimBytesTest {
  private static final BucketId LEVEL = bucket(level());
  private static final BucketId CLEARED =
      bucket(BucketSpec.builder("cleared").algorithm(Algorithm.SLIDING_WINDOW).clears(true));
  private static final BucketId PERIOD =
      bucket(
          BucketSpec.builder("period")
              .algorithm(Algorithm.FIXED_WINDOW)
              .calendar(
                  CalendarWindow.period(
                      Instant.parse("2023-11-14T00:00:00Z"),
                      Instant.parse("2023-11-15T12:00:00Z"))));

  private static BucketSpec.Builder level() {
    return BucketSpec.builder("level")
        .algorithm(Algorithm.TOKEN_BUCKET)
        .window(Duration.ofMinutes(1));
  }

  private static BucketId bucket(BucketSpec.Builder spec) {
    return new BucketId(spec.build(), Key.of("who"));
  }

  /** These bytes are in people's databases. A change of them gives the format a new number. */
  @Test
  void goldenBytes() {
    assertEquals("010a0a0000000000000000", hex(Claim.builder(LEVEL, 10, 10).build()));
    Claim claim =
        Claim.builder(CLEARED, 300, 20)
            .debt(5)
            .debtUntil(1_700_000_040_000_000L)
            .refusedAt(1)
            .clearBefore(2)
            .giveBack(new GiveBack(129, 3, 4))
            .build();
    assertEquals("01ac02140580b482d4c1c4820301000200000181010304", hex(claim));
  }

  private static String hex(Claim claim) {
    return HexFormat.of().formatHex(ClaimBytes.toBytes(List.of(claim)));
  }

  @Test
  void readsWhatItWrote() {
    Seeds.each(
        100,
        random -> {
          for (BucketId bucket : List.of(LEVEL, CLEARED, PERIOD)) {
            List<Claim> claims =
                Stream.generate(() -> claim(random, bucket)).limit(1 + random.nextInt(3)).toList();
            List<Claim> read = ClaimBytes.fromBytes(bucket, ClaimBytes.toBytes(claims));
            assertEquals(claims.size(), read.size());
            for (int i = 0; i < claims.size(); i++) {
              assertEquals(bucket, read.get(i).bucket());
              assertEquals(numbers(claims.get(i)), numbers(read.get(i)));
              assertEquals(claims.get(i).giveBacks(), read.get(i).giveBacks());
            }
          }
        });
  }

  private static Claim claim(Random random, BucketId bucket) {
    Claim.Builder claim =
        Claim.builder(bucket, 1 + number(random) / 2, 1 + number(random) / 2)
            .debt(number(random))
            .debtUntil(number(random))
            .refusedAt(number(random));
    if (bucket.spec().clears()) {
      claim.clearBefore(number(random));
    }
    if (bucket.spec().isOfPeriod()) {
      claim.usedAtLeast(number(random));
    }
    if (random.nextBoolean()) {
      long begin = number(random) / 2;
      claim.window(begin, begin + 1 + number(random) / 2);
    }
    for (int i = random.nextInt(20); i > 0; i--) {
      claim.giveBack(new GiveBack(number(random), 1 + number(random) / 2, number(random)));
    }
    return claim.build();
  }

  /** Of any size up to 63 bits. */
  private static long number(Random random) {
    return random.nextLong() >>> 1 >>> random.nextInt(Long.SIZE);
  }

  private static List<Long> numbers(Claim claim) {
    return List.of(
        claim.needed(),
        claim.extra(),
        claim.far(),
        claim.effectiveLimit(),
        claim.burst(),
        claim.debt(),
        claim.debtUntil(),
        claim.refusedAt(),
        claim.usedAtLeast(),
        claim.clearBefore(),
        claim.windowBegin(),
        claim.windowEnd());
  }

  @Test
  void keepsNoClaimThatTakesPermits() {
    List<Claim> takers =
        List.of(
            Claim.of(LEVEL, 1, 10, 10),
            Claim.builder(LEVEL, 10, 10).extra(1).build(),
            Claim.builder(LEVEL, 10, 10).far(1).build());
    for (Claim each : takers) {
      assertThrows(IllegalArgumentException.class, () -> ClaimBytes.toBytes(List.of(each)));
    }
  }

  @Test
  void nothingMayBeMissingOrLeftOver() {
    byte[] bytes =
        ClaimBytes.toBytes(
            List.of(Claim.builder(LEVEL, 10, 10).debt(500).giveBack(new GiveBack(129, 3)).build()));
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThrows(BucketFormatException.class, () -> ClaimBytes.fromBytes(LEVEL, part));
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThrows(BucketFormatException.class, () -> ClaimBytes.fromBytes(LEVEL, longer));
  }

  @Test
  void refusesOtherBytesByNameOfTheirFailure() {
    List<String> wrong =
        List.of(
            "020a0a0000000000000000", // another format
            "01000a0000000000000000", // no limit
            "010a0a0000000002000000", // cleared by a success, which no level here is
            "010a0a00000000000000ffffffffffffffff7f", // more give-backs than there are bytes
            "010a0affffffffffffffffff01000000000000"); // a number of 64 bits
    for (String each : wrong) {
      assertThrows(
          BucketFormatException.class,
          () -> ClaimBytes.fromBytes(LEVEL, HexFormat.of().parseHex(each)),
          each);
    }
  }
}
