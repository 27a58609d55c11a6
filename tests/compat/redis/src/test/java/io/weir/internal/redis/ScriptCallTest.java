package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.internal.redis.ScriptRig.Moment;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptCallTest {
  private static final long DAY = 86_400_000_000L;
  private static final long NOW = 1_700_000_040L * 1_000_000;

  private final ScriptRig redis = ScriptRig.withLifetimes();

  @AfterEach
  void close() {
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 64})
  void answersClaimsInTheirOrderHoweverTheyArePacked(int mostKeys) {
    List<Grant> together = redis.execute(List.of(new Moment(NOW, mixed("packed"))), mostKeys);
    List<Moment> alone = mixed("alone").stream().map(claim -> new Moment(NOW, claim)).toList();
    assertEquals(redis.execute(alone, 1), together);
    assertEquals(List.of(1L, 1L, 1L), together.stream().map(Grant::permits).limit(3).toList());
  }

  /** Several claims of some buckets, one of others, of all algorithms. */
  private static List<Claim> mixed(String name) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      for (Algorithm algorithm : Algorithm.values()) {
        claims.add(Claim.of(bucket(algorithm, name), i % 3 + 1, 12, 12));
        claims.add(Claim.of(bucket(algorithm, name + i), i + 1, 40, 40));
      }
      claims.add(Claim.of(refilled(name), i % 3 + 1, 12, 12));
      claims.add(Claim.of(refilled(name + i), i + 1, 40, 40));
    }
    return claims;
  }

  @Test
  void packsAsFewCallsAsItMay() {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      claims.add(Claim.of(bucket(Algorithm.FIXED_WINDOW, "fixed " + i), 1, 10, 10));
      claims.add(Claim.of(bucket(Algorithm.TOKEN_BUCKET, "token " + i), 1, 10, 10));
    }
    assertEquals(20, ScriptCall.of(claims, redis.keys, 1).size());
    assertEquals(6, ScriptCall.of(claims, redis.keys, 4).size());
    assertEquals(2, ScriptCall.of(claims, redis.keys, 10).size());
    assertEquals(List.of(), ScriptCall.of(List.of(), redis.keys, 10));
  }

  @ParameterizedTest
  @EnumSource(BucketScript.class)
  void aKeyOfAnotherKindFailsItsOwnClaimOnly(BucketScript script) {
    BucketId list = bucket(script, "list");
    BucketId text = bucket(script, "text");
    redis.jedis.rpush(redis.keys.of(list), new byte[] {1});
    redis.jedis.set(redis.keys.of(text), "x".getBytes(StandardCharsets.UTF_8));
    List<String> errors = new ArrayList<>();
    List<Optional<Grant>> grants =
        redis.ask(
            List.of(
                today(Claim.of(bucket(script, "before"), 1, 10, 10)),
                today(Claim.of(list, 1, 10, 10)),
                today(Claim.of(text, 1, 10, 10)),
                today(Claim.of(bucket(script, "after"), 2, 10, 10))),
            errors);
    assertEquals(1, grants.get(0).orElseThrow().permits());
    assertEquals(2, grants.get(3).orElseThrow().permits());
    assertEquals(List.of(Optional.empty(), Optional.empty()), grants.subList(1, 3));
    assertTrue(errors.stream().anyMatch(error -> error.startsWith("WRONGTYPE")), errors::toString);
    assertEquals(2, errors.size());
  }

  @Test
  void aReplyThatCanNotBeReadIsAnErrorAndNoGrant() {
    List<Claim> claims = List.of(Claim.of(bucket(Algorithm.FIXED_WINDOW, "reply"), 1, 1, 1));
    ScriptCall call = ScriptCall.of(claims, redis.keys, 1).get(0);
    for (Object reply : new Object[] {"OK", List.of(), List.of(1L, 2L), 7L}) {
      List<Optional<Grant>> grants = ScriptRig.unanswered(1);
      List<String> errors = new ArrayList<>();
      call.read(reply, grants, errors::add);
      assertEquals(ScriptRig.unanswered(1), grants);
      assertEquals(1, errors.size());
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void timeInABucketNeverRunsBack(Algorithm algorithm) {
    Claim jumpy = Claim.of(bucket(algorithm, "jumpy"), 1, 100, 100);
    Claim steady = Claim.of(bucket(algorithm, "steady"), 1, 100, 100);
    redis.execute(NOW, jumpy);
    redis.execute(NOW, steady);
    assertEquals(redis.execute(NOW, steady), redis.execute(NOW - 7_000_000, jumpy));
    assertEquals(redis.execute(NOW + 1, steady), redis.execute(NOW + 1, jumpy));
  }

  private static Claim today(Claim claim) {
    return claim.inWindow(NOW - NOW % DAY, NOW - NOW % DAY + DAY);
  }

  private static BucketId bucket(BucketScript script, String key) {
    return switch (script) {
      case FIXED -> bucket(Algorithm.FIXED_WINDOW, key);
      case SLIDING -> bucket(Algorithm.SLIDING_WINDOW, key);
      case LEVEL -> bucket(Algorithm.TOKEN_BUCKET, key);
      case REFILL -> refilled(key);
      case ATTEMPTS -> new BucketId(BucketSpec.builder("calls").clears(true).build(), Key.of(key));
      case CALENDAR ->
          new BucketId(
              BucketSpec.builder("calls")
                  .algorithm(Algorithm.FIXED_WINDOW)
                  .calendar(CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.UTC))
                  .build(),
              Key.of(key));
    };
  }

  /** A strict one, whose claims are one part longer. */
  private static BucketId refilled(String key) {
    return new BucketId(
        BucketSpec.builder("calls")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.ofSeconds(60))
            .refill(true)
            .strict(true)
            .build(),
        Key.of(key));
  }

  private static BucketId bucket(Algorithm algorithm, String key) {
    return new BucketId(
        BucketSpec.builder("calls").algorithm(algorithm).window(Duration.ofSeconds(60)).build(),
        Key.of(key));
  }
}
