package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

class BucketKeyEncoderTest {
  private static final String IDENTITY = "alice@example.org";
  private static final BucketSpec HELLO =
      BucketSpec.builder("Hello.hello")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .window(Duration.ofSeconds(60))
          .build();

  private final BucketKeyEncoder keys = new BucketKeyEncoder("weir", "a secret");

  @Test
  void nobodyIsReadableInAKey() throws GeneralSecurityException {
    for (Key key : List.of(Key.user(IDENTITY), Key.address(IDENTITY), Key.of(IDENTITY))) {
      String text = text(new BucketId(HELLO, key));
      assertFalse(text.contains("alice") || text.contains("example"), text);
      for (String hash : plainHashes(key)) {
        assertFalse(text.contains(hash.substring(0, 8)), text);
      }
    }
  }

  private static List<String> plainHashes(Key key) throws GeneralSecurityException {
    List<String> hashes = new ArrayList<>();
    for (String algorithm : List.of("MD5", "SHA-1", "SHA-256", "SHA-512")) {
      for (String identity : List.of(IDENTITY, key.encoded(), "Hello.hello" + key.encoded())) {
        byte[] bytes = identity.getBytes(StandardCharsets.UTF_8);
        byte[] hash = MessageDigest.getInstance(algorithm).digest(bytes);
        hashes.add(HexFormat.of().formatHex(hash));
        hashes.add(Base64.getUrlEncoder().encodeToString(hash));
      }
    }
    return hashes;
  }

  @Test
  void aKeyIsAsLongWhoeverIsCounted() {
    Set<Integer> lengths = new HashSet<>();
    for (String identity : List.of("", "a", "\u0000\r\n {}", "é".repeat(9_000), "\ud800")) {
      String text = text(new BucketId(HELLO, Key.of(identity)));
      assertTrue(text.matches("weir:\\{[A-Za-z0-9_-]{22}}:Hello\\.hello"), text);
      lengths.add(text.length());
    }
    assertEquals(1, lengths.size());
  }

  @Test
  void theHashTagIsTheHashAlone() {
    for (int i = 0; i < 1_000; i++) {
      String text = text(new BucketId(HELLO, Key.of("caller " + i)));
      String tag = text.substring(text.indexOf('{') + 1, text.indexOf('}'));
      assertEquals(JedisClusterCRC16.getSlot(tag), JedisClusterCRC16.getSlot(text));
    }
  }

  @Test
  void theBucketsOfAPolicySpreadOverACluster() {
    Set<Integer> slots = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      slots.add(JedisClusterCRC16.getSlot(text(new BucketId(HELLO, Key.of("caller " + i)))));
    }
    assertTrue(slots.size() > 900, () -> "slots " + slots.size());
  }

  @Test
  void twoPrefixesNeverMeet() {
    BucketId bucket = new BucketId(HELLO, Key.user(IDENTITY));
    List<String> prefixes = List.of("a", "a:b", "b", "a:", ":", "weir", "weir:nodes");
    Set<String> texts = new HashSet<>();
    for (String prefix : prefixes) {
      BucketKeyEncoder named = new BucketKeyEncoder(prefix, "a secret");
      texts.add(ScriptRig.text(named.of(bucket)));
      texts.add(ScriptRig.text(named.named("nodes")));
    }
    assertEquals(2 * prefixes.size(), texts.size());
  }

  @Test
  void refusesAPrefixThatWouldBeAHashTagOrTooLong() {
    for (String prefix : List.of("", "{a}", "a{", "a b", "é", "a*", "a".repeat(65))) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> new BucketKeyEncoder(prefix, "a secret"));
      assertTrue(refused.getMessage().contains("weir.prefix"), refused.getMessage());
    }
  }

  @Test
  void anotherSecretGivesOtherKeys() {
    BucketId bucket = new BucketId(HELLO, Key.user(IDENTITY));
    assertNotEquals(
        text(bucket), ScriptRig.text(new BucketKeyEncoder("weir", "another secret").of(bucket)));
    assertEquals(text(bucket), ScriptRig.text(new BucketKeyEncoder("weir", "a secret").of(bucket)));
  }

  @Test
  void halvesOfSurrogatePairsAreToldApart() {
    Set<String> texts = new HashSet<>();
    for (String identity : List.of("\ud800", "\ud801", "\udc00", "?", "\ufffd", "\ud800\udc00")) {
      texts.add(text(new BucketId(HELLO, Key.of(identity))));
    }
    assertEquals(6, texts.size());
  }

  private String text(BucketId bucket) {
    return ScriptRig.text(keys.of(bucket));
  }
}
