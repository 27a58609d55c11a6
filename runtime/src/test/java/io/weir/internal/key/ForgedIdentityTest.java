package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.By;
import io.weir.attack.Cases;
import io.weir.internal.settings.SettingsSnapshot;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** No caller can get another bucket than its own by forging its identity. */
class ForgedIdentityTest {
  private static final Cases CASES = new Cases("attacks on who is calling");
  private static final String PROXY = "10.0.0.1";
  private static final List<String> OTHER_HEADERS =
      List.of(
          "X-Real-IP",
          "True-Client-IP",
          "CF-Connecting-IP",
          "X-Client-IP",
          "X-Cluster-Client-IP",
          "Fastly-Client-IP",
          "X-Originating-IP",
          "X-Remote-IP",
          "X-Remote-Addr",
          "X-ProxyUser-IP",
          "Client-IP",
          "X-Forwarded",
          "Forwarded-For",
          "X-Original-Forwarded-For",
          "X-Envoy-External-Address",
          "Via",
          "Host",
          "X-Forwarded-Host",
          "X_Forwarded_For",
          "X-Forwarded-For ");

  private final KeyReader direct = reader(Map.of());
  private final KeyReader elsewhere = reader(Map.of("weir.proxy.trusted", "10.0.0.0/8, fd00::/8"));
  private final KeyReader proxied = elsewhere;
  private final KeyReader forwarded =
      reader(
          Map.of("weir.proxy.trusted", "10.0.0.0/8, fd00::/8", "weir.proxy.header", "Forwarded"));

  @AfterAll
  static void tell() {
    CASES.tell();
  }

  @Test
  void whoIsNotTrustedIsHimselfWhateverHisHeadersSay() {
    CASES.times(
        10_000,
        random -> {
          byte[] me = Addresses.any(random);
          Asked asked = Asked.from(Addresses.plain(me));
          forge(random, asked, random.nextInt(5));
          if (random.nextBoolean()) {
            asked.header("X-Forwarded-For", forged(random));
          }
          if (random.nextBoolean()) {
            asked.header("Forwarded", "for=\"" + forged(random) + "\"");
          }
          Key mine = direct.read(Asked.from(Addresses.plain(me)));
          assertEquals(mine, direct.read(asked));
          assertEquals(mine, elsewhere.read(asked));
          assertEquals(mine, forwarded.read(asked));
        });
  }

  @Test
  void whoeverIsBehindAProxyIsWhomTheProxySaw() {
    CASES.times(
        10_000,
        random -> {
          byte[] me = Addresses.any(random);
          Key mine = direct.read(Asked.from(Addresses.plain(me)));
          assertEquals(mine, proxied.read(throughProxies(random, me, "X-Forwarded-For")));
          assertEquals(mine, forwarded.read(throughProxies(random, me, "Forwarded")));
        });
  }

  /** The caller forges the left part; up to three trusted proxies append what they see. */
  private static Asked throughProxies(Random random, byte[] caller, String header) {
    boolean xff = header.equals("X-Forwarded-For");
    StringBuilder line = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      line.append(xff ? forged(random) : "for=\"" + forged(random) + "\"").append(", ");
    }
    line.append(hop(random, xff, Addresses.spelled(random, caller)));
    for (int i = random.nextInt(3); i > 0; i--) {
      byte[] proxy = {10, (byte) random.nextInt(256), 3, (byte) random.nextInt(256)};
      line.append(',').append(hop(random, xff, Addresses.spelled(random, proxy)));
    }
    Asked asked =
        Asked.from(Cases.one(random, PROXY, "::ffff:10.0.0.1", "fd00::1"))
            .header(header, line.toString());
    forge(random, asked, random.nextInt(3));
    return asked.header(xff ? "Forwarded" : "X-Forwarded-For", forged(random));
  }

  private static String hop(Random random, boolean xff, String spelled) {
    String blank = Cases.one(random, "", " ", "\t ");
    if (xff) {
      return blank + spelled;
    }
    String name = Cases.one(random, "for", "For", "FOR", "fOr");
    String more = Cases.one(random, "", ";proto=https", ";by=_us;host=\"a,b\"", ";x=\"\\\"\"");
    return blank + name + "=\"" + spelled + '"' + more;
  }

  private static void forge(Random random, Asked asked, int headers) {
    for (int i = headers; i > 0; i--) {
      asked.header(OTHER_HEADERS.get(random.nextInt(OTHER_HEADERS.size())), forged(random));
    }
  }

  private static String forged(Random random) {
    String address = Addresses.spelled(random, Addresses.any(random));
    return Cases.one(
        random,
        address,
        address + ", " + PROXY,
        "127.0.0.1",
        "unknown",
        "_hidden",
        "",
        "\"" + address,
        address + "\r\nX-Forwarded-For: 1.2.3.4",
        "for=" + address);
  }

  @Test
  void allSpellingsOfAnAddressAreOneCallerAndNoTwoAddressesAre() {
    Map<String, Key> keys = new HashMap<>();
    Map<Key, String> callers = new HashMap<>();
    CASES.times(
        20_000,
        random -> {
          byte[] address = Addresses.near(random);
          String caller = Addresses.caller(address, 64);
          Key key = direct.read(Asked.from(Addresses.spelled(random, address)));
          assertEquals(keys.computeIfAbsent(caller, any -> key), key, caller);
          assertEquals(callers.computeIfAbsent(key, any -> caller), caller);
        });
    assertTrue(keys.size() > 100, keys.size() + " callers");
  }

  @Test
  void rotatingWithinAPrefixLeadsNowhereAndNoNeighbourIsHit() {
    CASES.times(
        10_000,
        random -> {
          int prefix = Cases.one(random, 32, 48, 56, 60, 64, 80, 128);
          KeyReader reader = reader(Map.of("weir.ipv6.prefix", Integer.toString(prefix)));
          byte[] home = Addresses.ipv6(random);
          byte[] rotated = Addresses.rotated(random, home, prefix);
          byte[] neighbour = home.clone();
          int bit = random.nextInt(prefix);
          neighbour[bit / 8] ^= (byte) (0x80 >> bit % 8);
          Key mine = reader.read(Asked.from(Addresses.plain(home)));
          assertEquals(mine, reader.read(Asked.from(Addresses.spelled(random, rotated))));
          assertNotEquals(mine, reader.read(Asked.from(Addresses.plain(neighbour))));
        });
  }

  @Test
  void whateverOneCallerSpellsHeGetsHisLimitAndNoMore() {
    Policy policy = Policy.builder("p").limit(5).window(Duration.ofDays(1)).build();
    Set<String> spent = new HashSet<>();
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      CASES.times(
          400,
          random -> {
            byte[] me = unlike(spent, random);
            KeyReader reader = Cases.one(random, proxied, forwarded);
            int admitted = 0;
            for (int i = 0; i < 25; i++) {
              byte[] now = me.length == 16 ? Addresses.rotated(random, me, 64) : me;
              String header = reader == proxied ? "X-Forwarded-For" : "Forwarded";
              Key key = reader.read(throughProxies(random, now, header));
              admitted += limiter.tryAcquire(policy, key).admitted() ? 1 : 0;
            }
            assertEquals(5, admitted);
          });
    }
  }

  /** A new caller: random prefixes with many zeros repeat. */
  private static byte[] unlike(Set<String> callers, Random random) {
    byte[] address = Addresses.any(random);
    while (!callers.add(Addresses.caller(address, 64))) {
      address = Addresses.any(random);
    }
    return address;
  }

  @Test
  void aMissingKeyIsNeitherAFreePassNorABucketForAll() {
    KeyReader reader = reader(Map.of(), "header:X-Api-Key");
    CASES.times(
        10_000,
        random -> {
          byte[] me = Addresses.any(random);
          Asked asked = Asked.from(Addresses.spelled(random, me));
          String blank =
              Cases.one(
                  random, "", " ", "\t", "\n", "\u2003", "\u2028", " \t\r\n", "\u001c", "\u000b");
          if (random.nextInt(3) > 0) {
            asked.header("X-Api-Key", blank);
          }
          assertEquals(direct.read(Asked.from(Addresses.plain(me))), reader.read(asked));
        });
  }

  @Test
  void aKeyThatIsTooLongIsRefusedAndOneThatIsNotIsWhole() {
    KeyReader reader = reader(Map.of(), "header:X-Api-Key");
    CASES.times(
        2_000,
        random -> {
          String unit =
              Cases.one(random, "k", "\u00e9", "\u20ac", "\ud83d\ude00", "{", "\nk", "\ud83d");
          int bytes = unit.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
          int fits = 8_192 / bytes;
          int length = Math.max(1, fits + random.nextInt(9) - 4);
          Asked asked = Asked.from("192.0.2.1").header("X-Api-Key", unit.repeat(length));
          if (length <= fits) {
            assertEquals(Key.of(unit.repeat(length)), reader.read(asked));
          } else {
            InvalidRequestException refused =
                assertThrows(InvalidRequestException.class, () -> reader.read(asked));
            assertFalse(refused.getMessage().contains(unit + unit), refused.getMessage());
          }
        });
  }

  private static KeyReader reader(Map<String, String> settings, String... expressions) {
    ClientAddress addresses = new ClientAddress(SettingsSnapshot.of(settings));
    By by = expressions.length == 0 ? By.IP : By.KEY;
    return KeyReader.of("p", List.of(by), List.of(expressions), Map.of(), () -> addresses);
  }
}
