package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.attack.Cases;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Whatever a script seems to have answered, each claim has a grant that can be, or none. */
class ScriptReplyFuzzTest {
  private static final Cases CASES = new Cases("replies of a hostile Redis, grants");
  private static final BucketKeyEncoder KEYS = new BucketKeyEncoder("weir", "secret");
  private static final long[] NUMBERS = {
    0, -1, 1, 2, 3, 9, 1L << 31, (1L << 32) + 1, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE
  };

  @AfterAll
  static void tell() {
    CASES.tell();
  }

  @Test
  void noAnswerMakesPermitsNorBreaksAnything() {
    CASES.times(
        20_000,
        random -> {
          List<Claim> claims = claims(random);
          List<Optional<Grant>> grants =
              new ArrayList<>(Collections.nCopies(claims.size(), Optional.empty()));
          List<String> errors = new ArrayList<>();
          ScriptCall.of(claims, KEYS, 64).get(0).read(reply(random, claims), grants, errors::add);
          for (int i = 0; i < claims.size(); i++) {
            Claim claim = claims.get(i);
            grants.get(i).ifPresent(grant -> assertCanBe(grant, claim));
          }
          boolean whole = grants.stream().allMatch(Optional::isPresent);
          assertTrue(whole || !errors.isEmpty(), "what isn't answered has its reason");
        });
  }

  private static void assertCanBe(Grant grant, Claim claim) {
    assertTrue(grant.permits() >= 0, grant::toString);
    long more = grant.isFar() ? claim.far() : claim.extra();
    assertTrue(grant.permits() <= claim.needed() + more, () -> grant + " for " + claim);
    assertTrue(Math.min(grant.left(), Math.min(grant.life(), grant.stamp())) >= 0, grant::toString);
    assertTrue(Math.min(grant.retry(), grant.reset()) >= 0, grant::toString);
  }

  @Test
  void anAnswerAboutAClaimThatIsNoneTakesNoRoom() {
    Claim claim = claims(new Random(1)).get(0);
    List<Optional<Grant>> grants = new ArrayList<>(List.of(Optional.empty()));
    List<String> errors = new ArrayList<>();
    // As a bit in a set of bits it would take 256 MB.
    List<Object> reply =
        List.of(new byte[60], (long) Integer.MAX_VALUE, "OOM".getBytes(ISO_8859_1));
    ScriptCall.of(List.of(claim), KEYS, 1).get(0).read(reply, grants, errors::add);
    assertEquals(List.of("unexpected answer of the script fixed.lua"), errors);
    assertFalse(grants.get(0).isPresent());
  }

  private static List<Claim> claims(Random random) {
    List<Claim> claims = new ArrayList<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      BucketSpec spec =
          BucketSpec.builder("p")
              .algorithm(Algorithm.FIXED_WINDOW)
              .window(Duration.ofHours(1))
              .build();
      BucketId bucket = new BucketId(spec, Key.of("k" + i));
      long needed = random.nextInt(4);
      claims.add(
          Claim.builder(bucket, 10, 10)
              .needed(needed)
              .atLeast(needed)
              .extra(random.nextInt(9))
              .far(random.nextInt(9))
              .build());
    }
    return claims;
  }

  private static @Nullable Object reply(Random random, List<Claim> claims) {
    if (random.nextInt(20) == 0) {
      return Cases.one(random, null, 7L, "OK".getBytes(ISO_8859_1), List.of(), List.of(List.of()));
    }
    List<@Nullable Object> parts = new ArrayList<>();
    parts.add(random.nextInt(30) == 0 ? null : grants(random, claims));
    for (int i = random.nextInt(6) / 2; i > 0; i--) {
      parts.add(random.nextInt(9) == 0 ? "?" : NUMBERS[random.nextInt(NUMBERS.length)]);
      byte[] error = "OOM \n".repeat(random.nextInt(3)).getBytes(ISO_8859_1);
      parts.add(random.nextInt(9) == 0 ? null : error);
    }
    return random.nextInt(20) == 0 ? parts.subList(0, parts.size() - 1) : parts;
  }

  /** As long as it should be, about; of any bytes, more often small ones. */
  private static byte[] grants(Random random, List<Claim> claims) {
    byte[] bytes = new byte[Math.max(0, claims.size() * 41 + random.nextInt(5) - 2)];
    int most = Cases.one(random, 2, 9, 256);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt(most) : 0);
    }
    return bytes;
  }
}
