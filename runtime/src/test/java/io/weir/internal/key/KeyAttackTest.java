package io.weir.internal.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.attack.Cases;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.spi.KeyResolver;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** No two callers share a bucket, whatever texts identify them. */
class KeyAttackTest {
  private static final Cases CASES = new Cases("attacks on keys");
  private static final BucketSpec SHAPE =
      BucketSpec.builder("policy")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .window(Duration.ofMinutes(1))
          .build();
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{22}");
  private static final BucketHasher HASH = BucketHasher.of("a secret");
  private static final ClientAddress ADDRESSES = new ClientAddress(SettingsSnapshot.of(Map.of()));

  private static final String[] SHARDS = {
    "a",
    "b",
    "A",
    "k1:a",
    "u5:alice",
    "a9:192.0.2.1",
    "*0:",
    "n0:",
    ":",
    "{",
    "}",
    "{}",
    "|",
    ",",
    ";",
    "/",
    "\\",
    "\"",
    "'",
    "\n",
    "\r\n",
    "\0",
    " ",
    "\t",
    "%",
    "%3A",
    "weir:",
    "{a}",
    "e\u0301",
    "\u00e9",
    "\u212b",
    "\u00c5",
    "\ufb01",
    "fi",
    "\u0130",
    "i",
    "I",
    "\u0131",
    "\u00df",
    "ss",
    "SS",
    "\u200b",
    "\u202e",
    "\ufeff",
    "\ud83d",
    "\ude00",
    "\ud83d\ude00",
    "\uff21",
    "1",
    "10",
    "0",
  };

  @AfterAll
  static void tell() {
    CASES.tell();
  }

  /** A key, a tuple or a user: different ones have different keys and names. */
  @Test
  void whoeverIsToldApartIsCountedApart() {
    KeyReader one = reader(List.of(By.KEY), "header:K");
    KeyReader pair = reader(List.of(By.KEY), "header:K", "query:q");
    KeyReader user = reader(List.of(By.USER));
    KeyReader userAndKey = reader(List.of(By.USER, By.KEY), "header:K");
    Map<Object, Key> keys = new HashMap<>();
    Map<Key, Object> callers = new HashMap<>();
    Map<String, Object> names = new HashMap<>();
    CASES.times(
        20_000,
        random -> {
          String first = text(random);
          String second = text(random);
          Asked asked =
              Asked.from("192.0.2.1").header("K", first).set("query q", second).set("user", second);
          int kind = random.nextInt(4);
          Key key = List.of(one, pair, user, userAndKey).get(kind).read(asked);
          Object caller =
              switch (kind) {
                case 0 -> List.of("key", first);
                case 1 -> List.of("keys", first, second);
                case 2 -> List.of("user", second);
                default -> List.of("user and key", second, first);
              };
          assertEquals(keys.computeIfAbsent(caller, any -> key), key);
          assertEquals(callers.computeIfAbsent(key, any -> caller), caller);
          String name = HASH.of(new BucketId(SHAPE, key));
          assertTrue(NAME.matcher(name).matches(), name);
          assertEquals(names.computeIfAbsent(name, any -> caller), caller);
        });
  }

  /** Never blank, for that would count by address. */
  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int shards = random.nextInt(4); shards >= 0; shards--) {
      text.append(Cases.one(random, SHARDS));
    }
    return text.toString().isBlank() ? text + "x" : text.toString();
  }

  /** Texts that an application may treat as one account are still several keys, as the docs say. */
  @Test
  void nothingIsFoldedCutOrTrimmed() {
    KeyReader reader = reader(List.of(By.KEY), "header:K");
    CASES.times(
        10_000,
        random -> {
          String text = text(random) + "z";
          List<String> variants =
              new ArrayList<>(List.of(text.toUpperCase(Locale.ROOT), text + " "));
          for (Normalizer.Form form : Normalizer.Form.values()) {
            variants.add(Normalizer.normalize(text, form));
          }
          variants.add(text + "\0");
          variants.add(text.substring(0, text.length() - 1) + "y");
          Key key = reader.read(Asked.from("192.0.2.1").header("K", text));
          for (String variant : variants) {
            Key other = reader.read(Asked.from("192.0.2.1").header("K", variant));
            assertEquals(text.equals(variant), key.equals(other), variant);
          }
        });
  }

  @Test
  void whatLiesInTheStoreShowsNoCredential() {
    CASES.times(
        10_000,
        random -> {
          String secret = "sk_live_" + Long.toHexString(random.nextLong()) + text(random);
          Key key = Key.tuple(List.of(Key.user(secret), Key.of(secret)));
          String name = HASH.of(new BucketId(SHAPE, key));
          assertEquals(22, name.length());
          // Hashing guessed callers doesn't help either: without the secret the name differs.
          assertNotEquals(BucketHasher.of("another").of(new BucketId(SHAPE, key)), name);
          assertTrue(!key.toString().contains(secret.substring(0, 8)), key.toString());
          assertTrue(key.encoded().getBytes(UTF_8).length > 22);
        });
  }

  @Test
  void aKeyExpressionIsReadOrRefusedByItsRule() {
    String[] words = {"header", "query", "path", "cookie", "param", "Header", "tenant", "", " "};
    CASES.times(
        20_000,
        random -> {
          String expression =
              Cases.one(random, words) + Cases.one(random, ":", "", "::") + text(random);
          boolean mistaken =
              KeySyntax.mistake(
                      expression, java.util.Set.of("tenant"), new ReadablePlaces(true, true, true))
                  .isPresent();
          Map<String, KeyResolver> resolvers =
              Map.of("tenant", request -> java.util.Optional.empty());
          try {
            Asked asked = Asked.from("192.0.2.1");
            Key key =
                KeyReader.of("p", List.of(By.KEY), List.of(expression), resolvers, () -> ADDRESSES)
                    .read(asked);
            assertEquals(Key.address("192.0.2.1"), key);
            assertTrue(!mistaken, expression);
          } catch (IllegalArgumentException refused) {
            assertTrue(mistaken && !String.valueOf(refused.getMessage()).isBlank(), expression);
          }
        });
  }

  private static KeyReader reader(List<By> by, String... expressions) {
    return KeyReader.of("p", by, List.of(expressions), Map.of(), () -> ADDRESSES);
  }
}
