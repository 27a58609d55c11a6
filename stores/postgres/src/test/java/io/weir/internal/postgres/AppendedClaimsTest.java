package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.internal.store.ClaimBytes;
import io.weir.seeds.Seeds;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Executes claims that stand before a bucket's bytes. */
class AppendedClaimsTest {
  private static final BucketArithmetic ARITHMETIC =
      BucketArithmetic.leasing(PostgresStore.MIN_LIFE_MICROS);

  private long now = 1_700_000_000_000_000L;

  private static BucketId bucket(Algorithm algorithm) {
    return new BucketId(
        BucketSpec.builder("appended").algorithm(algorithm).window(Duration.ofSeconds(60)).build(),
        Key.of("who"));
  }

  /** Does what the server does. */
  private static byte[] append(byte[] state, List<Claim> claims, long at) {
    byte[] first = AppendedClaims.withoutTime(claims);
    int length = state == null ? 0 : state.length;
    ByteBuffer all = ByteBuffer.allocate(first.length + Long.BYTES + length).put(first).putLong(at);
    return (length == 0 ? all : all.put(state)).array();
  }

  @Test
  void comeToTheSameAsIfEachHadBeenExecutedAtOnce() {
    Seeds.each(20, random -> sequences(random.nextLong()));
  }

  private void sequences(long seed) {
    for (Algorithm each : Algorithm.values()) {
      sequence(bucket(each), new Random(seed), each + ", seed " + seed);
    }
  }

  /** Some claims are appended, in ones and twos; each other one replaces the row. */
  private void sequence(BucketId bucket, Random random, String what) {
    byte[] direct = null;
    byte[] row = null;
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      now += random.nextInt(2_000_000);
      boolean takes = random.nextInt(3) == 0;
      List<Claim> claims = new ArrayList<>();
      claims.add(claim(bucket, random, takes, grants));
      if (!takes && random.nextBoolean()) {
        claims.add(claim(bucket, random, false, grants));
      }
      for (Claim each : claims) {
        var update = ARITHMETIC.execute(direct, each, now);
        direct = update.bytes();
        if (update.grant().permits() > 0) {
          grants.add(update.grant());
        }
      }
      if (takes) {
        byte[] before = AppendedClaims.read(row).execute(ARITHMETIC, bucket);
        row = ARITHMETIC.execute(before, claims.get(0), now).bytes();
      } else {
        row = append(row, claims, now);
      }
      assertArrayEquals(direct, AppendedClaims.read(row).execute(ARITHMETIC, bucket), what + i);
    }
  }

  private Claim claim(BucketId bucket, Random random, boolean takes, List<Grant> grants) {
    Claim.Builder claim = Claim.builder(bucket, 50, 50);
    if (takes) {
      return claim.needed(1L + random.nextInt(9)).extra(random.nextInt(9)).build();
    }
    if (!grants.isEmpty() && random.nextBoolean()) {
      claim.giveBack(new GiveBack(grants.remove(grants.size() - 1).stamp(), 1));
    }
    long until = random.nextBoolean() ? 0 : now + random.nextInt(3) - 1;
    return claim.debt(1L + random.nextInt(20)).debtUntil(until).build();
  }

  @Test
  void stayInTheirOrderAndTheNewestCanBeTakenOff() {
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    byte[] bytes = ARITHMETIC.execute(null, Claim.of(bucket, 3, 50, 50), now).bytes();
    Claim debt = Claim.builder(bucket, 50, 50).debt(5).build();
    byte[] one = append(bytes, List.of(debt), now + 1);
    byte[] two = append(one, List.of(debt, debt), now + 2);
    AppendedClaims all = AppendedClaims.read(two);
    assertEquals(
        List.of(1, 2),
        all.oldest().stream()
            .map(each -> ClaimBytes.fromBytes(bucket, each.claims()).size())
            .toList());
    assertArrayEquals(bytes, all.bucket());
    assertEquals(2, AppendedClaims.count(two));
    assertEquals(now + 2, AppendedClaims.newest(two).at());
    assertArrayEquals(one, AppendedClaims.newest(two).before());
    assertNull(AppendedClaims.newest(append(null, List.of(debt), now)).before());
    byte[] counted = all.execute(ARITHMETIC, bucket);
    assertEquals(
        50 - 3 - 15,
        ARITHMETIC.execute(counted, Claim.peek(bucket, 1, 50, 50), now + 3).grant().left());
  }

  @Test
  void areRejectedWhereverTheyEndTooEarly() {
    BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
    byte[] whole = append(null, List.of(Claim.builder(bucket, 50, 50).debt(5).build()), now);
    for (int length = 1; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      BucketFormatException rejected =
          assertThrows(BucketFormatException.class, () -> AppendedClaims.read(cut));
      assertTrue(rejected.getMessage().contains("can't be read"), rejected.getMessage());
      assertEquals(Integer.MAX_VALUE, AppendedClaims.count(cut), "nothing is appended to it");
    }
  }
}
