package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BucketHasherTest {
  private static final BucketSpec HELLO =
      BucketSpec.builder("hello")
          .algorithm(Algorithm.TOKEN_BUCKET)
          .window(Duration.ofSeconds(10))
          .burst(5)
          .build();

  private final BucketHasher names = BucketHasher.of("a secret");

  @Test
  void namesABucketTheSameOnEveryNode() {
    BucketId bucket = new BucketId(HELLO, Key.user("alice"));
    String name = names.of(bucket);
    assertEquals(name, BucketHasher.of("a secret").of(new BucketId(HELLO, Key.user("alice"))));
    // What is stored must be found again by the next version: the name may never change.
    assertEquals("4y7kdh1efR-D7a5OVUFKdw", name);
  }

  @Test
  void namesABucketTheSameWhetherItsLimitIsTheRegionsOrOneOverAll() {
    BucketSpec own =
        BucketSpec.builder("hello")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.ofSeconds(10))
            .burst(5)
            .ofRegion(true)
            .build();
    assertNotEquals(HELLO, own);
    assertTrue(own.isOfRegion());
    assertEquals("4y7kdh1efR-D7a5OVUFKdw", names.of(new BucketId(own, Key.user("alice"))));
    assertEquals(HELLO.toString(), own.toString(), "by which RocksDB numbers them");
  }

  @Test
  void hasAFingerprintOfTheSecretThatOthersCompareAndConfirmsNoGuess() {
    String fingerprint = names.fingerprint();
    assertTrue(fingerprint.matches("[0-9a-f]{4}"), fingerprint);
    assertEquals(fingerprint, BucketHasher.of("a secret").fingerprint());
    assertNotEquals(fingerprint, BucketHasher.of("another secret").fingerprint());
    assertNotEquals(fingerprint, BucketHasher.of("").fingerprint());
    long different =
        IntStream.range(0, 3_000)
            .mapToObj(i -> BucketHasher.of("guess " + i).fingerprint())
            .distinct()
            .count();
    assertTrue(different < 3_000, "a secret that fits is the one");
  }

  @Test
  void isShortAndSafeWhateverTheKeyIs() {
    for (String text : List.of("", "a", "x".repeat(8192), "\ud800", "\u0000{}:* \n")) {
      String name = names.of(new BucketId(HELLO, Key.of(text)));
      assertTrue(name.matches("[A-Za-z0-9_-]{" + BucketHasher.LENGTH + "}"), name);
    }
  }

  @Test
  void tellsCalendarsApart() {
    Set<String> all = new HashSet<>();
    for (String zone : List.of("UTC", "Z", "Europe/Berlin", "+01:00")) {
      for (int months : new int[] {1, 3}) {
        CalendarWindow windows = CalendarWindow.of(months, ChronoUnit.MONTHS, ZoneId.of(zone));
        BucketSpec spec =
            BucketSpec.builder("hello").algorithm(Algorithm.FIXED_WINDOW).calendar(windows).build();
        all.add(names.of(new BucketId(spec, Key.user("alice"))));
      }
    }
    assertEquals(8, all.size());
    // The name may never change.
    CalendarWindow quarter = CalendarWindow.of(3, ChronoUnit.MONTHS, ZoneId.of("Europe/Berlin"));
    BucketSpec spec =
        BucketSpec.builder("hello").algorithm(Algorithm.FIXED_WINDOW).calendar(quarter).build();
    assertEquals("BvN5Ea6dYshSIbpQE_CGMw", names.of(new BucketId(spec, Key.user("alice"))));
  }

  @Test
  void tellsShapesAndKeysApart() {
    Duration window = Duration.ofSeconds(10);
    List<BucketId> all =
        List.of(
            new BucketId(HELLO, Key.user("alice")),
            new BucketId(HELLO, Key.of("alice")),
            new BucketId(HELLO, Key.of("\ud800")),
            new BucketId(HELLO, Key.of("\udfff")),
            new BucketId(HELLO, Key.of("?")),
            new BucketId(HELLO, Key.tuple(List.of(Key.of("a"), Key.of("b")))),
            new BucketId(HELLO, Key.tuple(List.of(Key.of("b"), Key.of("a")))),
            new BucketId(spec("hell", Algorithm.TOKEN_BUCKET, window, 5), Key.user("alice")),
            new BucketId(spec("hello", Algorithm.LEAKY_BUCKET, window, 5), Key.user("alice")),
            new BucketId(
                spec("hello", Algorithm.TOKEN_BUCKET, window.plusNanos(1_000), 5),
                Key.user("alice")),
            new BucketId(spec("hello", Algorithm.TOKEN_BUCKET, window, 6), Key.user("alice")),
            new BucketId(spec("hello", Algorithm.TOKEN_BUCKET, window, 0), Key.user("alice")),
            new BucketId(refilled(false), Key.user("alice")),
            new BucketId(refilled(true), Key.user("alice")),
            new BucketId(sliding(false), Key.user("alice")),
            new BucketId(sliding(true), Key.user("alice")));
    Set<String> different = new HashSet<>();
    all.forEach(bucket -> different.add(names.of(bucket)));
    assertEquals(all.size(), different.size());
  }

  @Test
  void anotherSecretOrNoneGivesOtherNames() {
    BucketId bucket = new BucketId(HELLO, Key.user("alice"));
    assertNotEquals(names.of(bucket), BucketHasher.of("another").of(bucket));
    assertNotEquals(names.of(bucket), BucketHasher.of("").of(bucket));
    assertEquals(BucketHasher.of("").of(bucket), BucketHasher.of("").of(bucket));
  }

  private static BucketSpec sliding(boolean clears) {
    return BucketSpec.builder("hello").window(Duration.ofSeconds(10)).clears(clears).build();
  }

  private static BucketSpec refilled(boolean strict) {
    return BucketSpec.builder("hello")
        .algorithm(Algorithm.TOKEN_BUCKET)
        .window(Duration.ofSeconds(10))
        .refill(true)
        .strict(strict)
        .build();
  }

  private static BucketSpec spec(String name, Algorithm algorithm, Duration window, long burst) {
    return BucketSpec.builder(name).algorithm(algorithm).window(window).burst(burst).build();
  }
}
