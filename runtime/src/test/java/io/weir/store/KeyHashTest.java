package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Shape;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyHashTest {
  private static final Shape HELLO =
      new Shape("hello", Algorithm.TOKEN_BUCKET, Duration.ofSeconds(10), 5);

  private final KeyHash names = KeyHash.of("a secret");

  @Test
  void namesABucketTheSameOnEveryNode() {
    Bucket bucket = new Bucket(HELLO, Key.user("alice"));
    String name = names.of(bucket);
    assertEquals(name, KeyHash.of("a secret").of(new Bucket(HELLO, Key.user("alice"))));
    // What is stored must be found again by the next version: the name may never change.
    assertEquals("4y7kdh1efR-D7a5OVUFKdw", name);
  }

  @Test
  void hasAFingerprintOfTheSecretThatOthersCompareAndConfirmsNoGuess() {
    String fingerprint = names.fingerprint();
    assertTrue(fingerprint.matches("[0-9a-f]{4}"), fingerprint);
    assertEquals(fingerprint, KeyHash.of("a secret").fingerprint());
    assertNotEquals(fingerprint, KeyHash.of("another secret").fingerprint());
    assertNotEquals(fingerprint, KeyHash.of("").fingerprint());
    long different =
        IntStream.range(0, 3_000)
            .mapToObj(i -> KeyHash.of("guess " + i).fingerprint())
            .distinct()
            .count();
    assertTrue(different < 3_000, "a secret that fits is the one");
  }

  @Test
  void isShortAndSafeWhateverTheKeyIs() {
    for (String text : List.of("", "a", "x".repeat(8192), "\ud800", "\u0000{}:* \n")) {
      String name = names.of(new Bucket(HELLO, Key.of(text)));
      assertTrue(name.matches("[A-Za-z0-9_-]{" + KeyHash.LENGTH + "}"), name);
    }
  }

  @Test
  void tellsShapesAndKeysApart() {
    Duration window = Duration.ofSeconds(10);
    List<Bucket> all =
        List.of(
            new Bucket(HELLO, Key.user("alice")),
            new Bucket(HELLO, Key.of("alice")),
            new Bucket(HELLO, Key.of("\ud800")),
            new Bucket(HELLO, Key.of("\udfff")),
            new Bucket(HELLO, Key.of("?")),
            new Bucket(HELLO, Key.tuple(List.of(Key.of("a"), Key.of("b")))),
            new Bucket(HELLO, Key.tuple(List.of(Key.of("b"), Key.of("a")))),
            new Bucket(shape("hell", Algorithm.TOKEN_BUCKET, window, 5), Key.user("alice")),
            new Bucket(shape("hello", Algorithm.LEAKY_BUCKET, window, 5), Key.user("alice")),
            new Bucket(
                shape("hello", Algorithm.TOKEN_BUCKET, window.plusNanos(1_000), 5),
                Key.user("alice")),
            new Bucket(shape("hello", Algorithm.TOKEN_BUCKET, window, 6), Key.user("alice")));
    Set<String> different = new HashSet<>();
    all.forEach(bucket -> different.add(names.of(bucket)));
    assertEquals(all.size(), different.size());
  }

  @Test
  void anotherSecretOrNoneGivesOtherNames() {
    Bucket bucket = new Bucket(HELLO, Key.user("alice"));
    assertNotEquals(names.of(bucket), KeyHash.of("another").of(bucket));
    assertNotEquals(names.of(bucket), KeyHash.of("").of(bucket));
    assertEquals(KeyHash.of("").of(bucket), KeyHash.of("").of(bucket));
  }

  private static Shape shape(String name, Algorithm algorithm, Duration window, long burst) {
    return new Shape(name, algorithm, window, burst);
  }
}
