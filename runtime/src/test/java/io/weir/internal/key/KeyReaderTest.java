package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.annotation.By;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.spi.KeyResolver;
import io.weir.test.log.LogLines;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads the keys of callers from requests. */
class KeyReaderTest {
  private static final String HOME = "192.0.2.1";
  private static final Key HERE = Key.address(HOME);

  private final ClientAddress addresses = new ClientAddress(SettingsSnapshot.of(Map.of()));

  @Test
  void readsEachKind() {
    Asked asked = Asked.from(HOME).set("user", "alice").header("X-Api-Key", "secret");
    assertEquals(HERE, reader(By.IP).read(asked));
    assertEquals(Key.user("alice"), reader(By.USER).read(asked));
    assertEquals(Key.of("secret"), reader("header:X-Api-Key").read(asked));
    assertEquals(Key.everybody(), reader(By.ENDPOINT).read(asked));
  }

  @ParameterizedTest
  @ValueSource(strings = {"header:k", "query:k", "path:k", "cookie:k", "param:k"})
  void readsEachPlaceAndNoOther(String expression) {
    String place = expression.substring(0, expression.indexOf(':'));
    for (String other : List.of("header", "query", "path", "cookie", "param")) {
      Asked asked = Asked.from(HOME).set(other + " k", "v");
      asked = other.equals("header") ? asked.header("k", "v") : asked;
      assertEquals(other.equals(place) ? Key.of("v") : HERE, reader(expression).read(asked));
    }
  }

  @Test
  void readsTheNameAfterTheFirstColonWhole() {
    assertEquals(Key.of("v"), reader("query:a:b").read(Asked.from(HOME).set("query a:b", "v")));
  }

  @Test
  void asksTheResolverRegisteredUnderTheName() {
    KeyResolver tenant = request -> request.query("t").map("tenant-"::concat);
    KeyReader reader = reader(List.of(By.KEY), List.of("tenant"), Map.of("tenant", tenant));
    assertEquals(Key.of("tenant-7"), reader.read(Asked.from(HOME).set("query t", "7")));
    assertEquals(HERE, reader.read(Asked.from(HOME)));
  }

  @Test
  void usersOfTwoIssuersHaveTwoKeysThatBeginWithTheirName() {
    Key one = reader(By.USER).read(Asked.from(HOME).set("user", "alice").set("issuer", "one"));
    Key other = reader(By.USER).read(Asked.from(HOME).set("user", "alice").set("issuer", "other"));
    assertEquals(Key.tuple(List.of(Key.user("alice"), Key.of("one"))), one);
    assertNotEquals(one, other);
    assertEquals(Optional.of("alice"), other.userName());
    assertEquals(HERE, reader(By.USER).read(Asked.from(HOME).set("issuer", "one")));
  }

  @Test
  void aRequestThatAResolverFindsInvalidIsNotCountedByAddress() {
    KeyResolver tenant =
        request -> {
          throw new InvalidRequestException("several tenants");
        };
    KeyReader reader = reader(List.of(By.KEY), List.of("tenant"), Map.of("tenant", tenant));
    assertThrows(InvalidRequestException.class, () -> reader.read(Asked.from(HOME)));
  }

  @Test
  void composesInTheOrderGiven() {
    Asked asked = Asked.from(HOME).set("user", "u").header("a", "1").header("b", "2");
    Key user = Key.user("u");
    Key one = Key.of("1");
    Key two = Key.of("2");
    List<String> ab = List.of("header:a", "header:b");
    assertEquals(
        Key.tuple(List.of(one, two, HERE, user)),
        reader(List.of(By.KEY, By.IP, By.USER), ab, Map.of()).read(asked));
    assertEquals(
        Key.tuple(List.of(user, HERE, two, one)),
        reader(List.of(By.USER, By.IP, By.KEY), List.of("header:b", "header:a"), Map.of())
            .read(asked));
    assertEquals(
        Key.tuple(List.of(Key.everybody(), one, two)),
        reader(List.of(By.ENDPOINT, By.KEY), ab, Map.of()).read(asked));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t", " \n\r ", "\u2003"})
  void aBlankKeyOrUserCountsByAddress(String blank) {
    Asked asked = Asked.from(HOME).set("user", blank).header("k", blank, "second");
    assertEquals(HERE, reader("header:k").read(asked));
    assertEquals(HERE, reader(By.USER).read(asked));
    Asked other = Asked.from("192.0.2.2").set("user", blank).header("k", blank);
    assertNotEquals(reader("header:k").read(asked), reader("header:k").read(other));
    assertNotEquals(reader(By.USER).read(asked), reader(By.USER).read(other));
  }

  @Test
  void keepsBothPartsWhenTheKeyFallsBack() {
    List<By> both = List.of(By.KEY, By.IP);
    KeyReader reader = reader(both, List.of("header:k"), Map.of());
    assertEquals(Key.tuple(List.of(HERE, HERE)), reader.read(Asked.from(HOME)));
    KeyReader two = reader(List.of(By.KEY), List.of("header:a", "header:b"), Map.of());
    Key onlyA = two.read(Asked.from(HOME).header("a", "x"));
    Key onlyB = two.read(Asked.from(HOME).header("b", "x"));
    assertEquals(Key.tuple(List.of(Key.of("x"), HERE)), onlyA);
    assertEquals(Key.tuple(List.of(HERE, Key.of("x"))), onlyB);
  }

  @ParameterizedTest
  @MethodSource("colliding")
  void keepsNearTextsApartWhole(List<String> texts) {
    Set<Key> keys = new HashSet<>();
    for (String text : texts) {
      keys.add(reader("header:k").read(Asked.from(HOME).header("k", text)));
      keys.add(reader(By.USER).read(Asked.from(HOME).set("user", text)));
    }
    assertEquals(2 * texts.size(), keys.size());
    assertFalse(keys.contains(HERE));
  }

  static Stream<List<String>> colliding() {
    return Stream.of(
        List.of("alice", "Alice", "ALICE", " alice", "alice ", "alice\t", "alice\n", "alice\u0000"),
        List.of("\u00e9", "e\u0301", "\u00c9", "E\u0301", "e", "\u00e8"),
        List.of("stra\u00dfe", "strasse", "STRASSE", "stra\u1e9ee"),
        List.of("i", "I", "\u0130", "\u0131", "\u0456"),
        List.of("a", "\u0430", "\uff41", "\u1d43"),
        List.of("admin", "adm\u200bin", "admin\u200d", "\ufeffadmin", "ad\u00admin"),
        List.of("1", "01", "+1", "1.0", "\u0661", "\uff11", " 1"),
        List.of("a:b", "a%3Ab", "a\\:b", "a::b", "a", "b", "a:", ":b", ":"),
        List.of("{a}", "a", "{a", "a}", "{", "}", "{}", "{{a}}", "}a{"),
        List.of("a,b", "a, b", "a;b", "a|b", "a/b", "a b", "a\nb", "a\r\nb", "a\u0000b", "ab"),
        List.of(HOME, "1:" + HOME, "a9:" + HOME, "192.0.2.1:80", "k9:" + HOME, "u5:alice"),
        List.of("*", "*0:", "n0:", "everybody", "nobody", "null", "\"null\"", "undefined"),
        List.of("x".repeat(8191), "x".repeat(8190) + "y", "x".repeat(8192), "y" + "x".repeat(8191)),
        List.of("\ud83d\ude00", "\ud83d\ude01", "\ud83d", "\ude00", "?"),
        List.of("a", "k1:a", "1:a", "a1:a", "11:a"));
  }

  @Test
  void aKeyNeverMeetsTheBucketOfAnAddressOrAUser() {
    Set<Key> keys = new HashSet<>();
    for (String text : List.of(HOME, "2001:db8::/64", "peer x")) {
      keys.add(reader("header:k").read(Asked.from("x").header("k", text)));
      keys.add(reader(By.USER).read(Asked.from("x").set("user", text)));
    }
    for (String peer : List.of(HOME, "2001:db8::1", "x")) {
      keys.add(reader(By.IP).read(Asked.from(peer)));
    }
    assertEquals(9, keys.size());
  }

  @Test
  void noTextOfOnePartPassesForAnotherPart() {
    List<String> shards =
        List.of("a", "b", "1:", "k1:a", "ak1:b", "k2:", ":", "k:a", "ak:a", "ak:ak:a", "", "ab");
    KeyReader reader = reader(List.of(By.KEY), List.of("query:a", "query:b"), Map.of());
    Set<Key> keys = new HashSet<>();
    for (String left : shards) {
      for (String right : shards) {
        keys.add(reader.read(Asked.from(HOME).set("query a", left).set("query b", right)));
      }
    }
    assertEquals(shards.size() * shards.size(), keys.size());
  }

  @Test
  void refusesAKeyLongerThanEightKibibytesByItsPlaceOnly() {
    for (String letter : List.of("x", "\u00e9", "\u20ac", "\ud83d\ude00")) {
      int bytes = letter.getBytes(StandardCharsets.UTF_8).length;
      String longest = letter.repeat(8192 / bytes);
      Asked asked = Asked.from(HOME).header("X-Api-Key", longest);
      assertEquals(Key.of(longest), reader("header:X-Api-Key").read(asked));
      Asked tooLong = Asked.from(HOME).header("X-Api-Key", longest + "xyz");
      InvalidRequestException refused =
          assertThrows(
              InvalidRequestException.class,
              () -> reader("header:X-Api-Key").read(tooLong),
              letter);
      assertEquals("The header X-Api-Key is longer than 8192 bytes.", refused.getMessage());
    }
  }

  @Test
  void namesThePlaceOfEveryKindOfKeyThatIsTooLong() {
    Map<String, KeyResolver> resolvers = Map.of("tenant", request -> request.query("k"));
    String huge = "x".repeat(10_000);
    Asked asked = Asked.from(HOME).set("query k", huge).set("path k", huge).set("param k", huge);
    Map<String, String> places =
        Map.of(
            "query:k", "query parameter k",
            "path:k", "path variable k",
            "param:k", "parameter k",
            "tenant", "key tenant");
    for (String expression : places.keySet()) {
      KeyReader reader = reader(List.of(By.IP, By.KEY), List.of(expression), resolvers);
      InvalidRequestException refused =
          assertThrows(InvalidRequestException.class, () -> reader.read(asked));
      String place = "The " + places.get(expression) + " is longer";
      assertTrue(refused.getMessage().startsWith(place), refused.getMessage());
      assertFalse(refused.getMessage().contains("xx"));
    }
  }

  @Test
  void ofSeveralLinesTheFirstIsTheKey() {
    Asked one = Asked.from(HOME).header("k", "secret", "x");
    assertEquals(Key.of("secret"), reader("header:K").read(one));
  }

  @Test
  void aResolverThatFailsCountsByAddressAndIsReportedOnce() {
    AtomicInteger calls = new AtomicInteger();
    List<KeyResolver> broken =
        List.of(
            request -> {
              throw new IllegalStateException("call " + calls.incrementAndGet());
            },
            request -> {
              throw new NoClassDefFoundError("gone");
            },
            request -> null);
    for (KeyResolver resolver : broken) {
      KeyReader reader = reader(List.of(By.KEY), List.of("t"), Map.of("t", resolver));
      try (LogLines warnings = new LogLines("io.weir.internal.key")) {
        for (int request = 0; request < 5; request++) {
          assertEquals(HERE, reader.read(Asked.from(HOME)));
        }
        assertEquals(1, warnings.lines().size(), warnings.lines().toString());
        assertTrue(warnings.lines().get(0).contains("key resolver t "));
      }
    }
    assertEquals(5, calls.get());
  }

  @Test
  void warnsOnceWhenTheFirstHundredRequestsOfAUserPolicyHadNoPrincipal() {
    KeyReader reader = reader(By.USER);
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      readTimes(reader, 99);
      assertEquals(List.of(), warnings.lines());
      readTimes(reader, 1);
      assertEquals(1, warnings.lines().size());
      assertTrue(warnings.lines().get(0).contains("Shop.buy counts by USER"));
      readTimes(reader, 500);
      assertEquals(1, warnings.lines().size());
    }
  }

  @Test
  void warnsOnceWhenTheFirstThousandRequestsOfAKeyPolicyHadNoKey() {
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      KeyReader reader = reader("header:X-Api-Kee");
      readTimes(reader, 999);
      assertEquals(List.of(), warnings.lines());
      readTimes(reader, 2_000);
      assertEquals(1, warnings.lines().size());
      assertTrue(warnings.lines().get(0).contains("saw no header:X-Api-Kee"));

      KeyReader other = reader("header:X-Api-Key");
      other.read(Asked.from(HOME).header("X-Api-Key", "k"));
      readTimes(other, 2_000);
      assertEquals(1, warnings.lines().size());
    }
  }

  @Test
  void onePrincipalAmongTheFirstHundredKeepsItQuiet() {
    KeyReader reader = reader(By.USER);
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      readTimes(reader, 99);
      reader.read(Asked.from(HOME).set("user", "alice"));
      readTimes(reader, 500);
      assertEquals(List.of(), warnings.lines());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = By.class,
      names = {"IP", "USER", "KEY"})
  void whoeverIsUnknownSharesTheKeyOfNobody(By by) {
    KeyReader reader = reader(List.of(by), List.of("param:k"), Map.of());
    assertEquals(Key.nobody(), reader.read(Asked.outsideHttp()));
    assertNotEquals(Key.nobody(), Key.everybody());
    assertNotEquals(Key.nobody(), Key.of(""));
  }

  @Test
  void needsTheUserOnlyWithUser() {
    assertTrue(reader(By.IP, By.USER).needsUser());
    assertFalse(reader(By.IP, By.ENDPOINT).needsUser());
    assertFalse(reader("cookie:user").needsUser());
  }

  @Test
  void refusesWhatCannotBeRead() {
    assertThrows(IllegalArgumentException.class, () -> reader(new By[0]));
    assertThrows(IllegalArgumentException.class, () -> reader(By.KEY));
    assertThrows(IllegalArgumentException.class, () -> reader("nobody"));
    assertThrows(IllegalArgumentException.class, () -> reader("body:k"));
  }

  private static void readTimes(KeyReader reader, int times) {
    for (int request = 0; request < times; request++) {
      assertEquals(HERE, reader.read(Asked.from(HOME)));
    }
  }

  private KeyReader reader(By... by) {
    return reader(new ArrayList<>(List.of(by)), List.of(), Map.of());
  }

  private KeyReader reader(String expression) {
    return reader(List.of(By.KEY), List.of(expression), Map.of());
  }

  private KeyReader reader(
      List<By> by, List<String> expressions, Map<String, KeyResolver> resolvers) {
    return KeyReader.of("Shop.buy", by, expressions, resolvers, () -> addresses);
  }

  @Test
  void readsTheSameKeyAgain() {
    Asked asked = Asked.from(HOME).set("user", "u").header("k", "v");
    KeyReader reader = reader(List.of(By.USER, By.KEY), List.of("header:k"), Map.of());
    assertEquals(reader.read(asked), reader.read(asked));
    assertEquals(Optional.of(HOME), addresses.of(asked));
  }
}
