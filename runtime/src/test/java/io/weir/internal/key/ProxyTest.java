package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.test.log.LogLines;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only trusted proxies can report the caller's address. */
class ProxyTest {
  private static final String TRUSTED = "10.0.0.0/8, 2001:db8:f::/48,192.168.1.7";
  private static final String SPOOF = "6.6.6.6";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-For",
        "Forwarded",
        "X-Real-IP",
        "True-Client-IP",
        "CF-Connecting-IP",
        "CF-Connecting-IPv6",
        "CF-Pseudo-IPv4",
        "Fastly-Client-IP",
        "Fly-Client-IP",
        "X-Client-IP",
        "X-Cluster-Client-IP",
        "X-Original-Forwarded-For",
        "X-Originating-IP",
        "X-Remote-IP",
        "X-Remote-Addr",
        "X-ProxyUser-Ip",
        "X-Forwarded",
        "X-Forwarded-Host",
        "Forwarded-For",
        "X-Azure-ClientIP",
        "X-Azure-SocketIP",
        "X-Appengine-User-IP",
        "X-Envoy-External-Address",
        "WL-Proxy-Client-IP",
        "Proxy-Client-IP",
        "Client-IP",
        "HTTP_CLIENT_IP",
        "HTTP_X_FORWARDED_FOR",
        "REMOTE_ADDR",
        "Via"
      })
  void anUntrustedPeerSpeaksForNobodyAndATrustedOneInOneHeaderOnly(String header) {
    for (String value : List.of(SPOOF, "for=" + SPOOF, "127.0.0.1", "10.0.0.1, " + SPOOF)) {
      for (ClientAddress address : List.of(trusting("X-Forwarded-For"), trusting("Forwarded"))) {
        assertEquals("198.51.100.1", of(address, "198.51.100.1", header, value));
      }
      assertEquals("127.0.0.1", of(nobodyTrusted(), "127.0.0.1", header, value));
    }
    ClientAddress other =
        trusting(header.equals("X-Forwarded-For") ? "Forwarded" : "X-Forwarded-For");
    assertEquals("10.0.0.1", of(other, "10.0.0.1", header, "for=" + SPOOF));
    assertEquals("10.0.0.1", of(other, "10.0.0.1", header, SPOOF));
  }

  /** Containers report a Unix-domain socket so. */
  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void aPeerWithoutAnAddressSpeaksForOthersOnlyIfTheSettingSaysSo(String peer) {
    ClientAddress trusting = reading(Map.of("weir.proxy.trusted", "10.0.0.0/8, unix:"));
    assertEquals("192.0.2.1", of(trusting, peer, "X-Forwarded-For", "6.6.6.6, 192.0.2.1"));
    assertEquals("192.0.2.1", of(trusting, peer, "X-Forwarded-For", "192.0.2.1, 10.0.0.1"));
    assertEquals("peer ", of(trusting, peer, "X-Forwarded-For", "unknown"));
    for (String trusted : List.of("", "10.0.0.0/8", "0.0.0.0/1, 128.0.0.0/1, ::/1, 8000::/1")) {
      ClientAddress other = reading(Map.of("weir.proxy.trusted", trusted));
      assertEquals("peer ", of(other, peer, "X-Forwarded-For", "192.0.2.1"));
    }
  }

  /** A filter of the container may replace the peer by the content of a header. */
  @ParameterizedTest
  @ValueSource(strings = {"unix:", "unknown", "_hidden", "/run/app.sock", "@", "peer unix:"})
  void whatIsNoAddressIsNotTherebyASocket(String peer) {
    ClientAddress trusting = reading(Map.of("weir.proxy.trusted", "unix:"));
    assertEquals("peer " + peer, of(trusting, peer, "X-Forwarded-For", "192.0.2.1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix:", "UNIX:", " "})
  void aHopThatSaysItIsASocketIsNone(String hop) {
    ClientAddress trusting = reading(Map.of("weir.proxy.trusted", "10.0.0.0/8, unix:"));
    assertEquals("10.0.0.1", of(trusting, "10.0.0.1", "X-Forwarded-For", "192.0.2.1, " + hop));
  }

  @ParameterizedTest(name = "[{0}] from {1} is {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # the peer vouches for the rightmost, whatever stands left of it
          192.0.2.1                                | 10.0.0.1         | 192.0.2.1
          6.6.6.6, 192.0.2.1                       | 10.0.0.1         | 192.0.2.1
          6.6.6.6, 6.6.6.7, 192.0.2.1              | 10.0.0.1         | 192.0.2.1
          127.0.0.1, 192.0.2.1                     | 10.0.0.1         | 192.0.2.1
          10.0.0.9, 192.0.2.1                      | 10.0.0.1         | 192.0.2.1
          6.6.6.6,192.0.2.1:5555                   | 10.0.0.1         | 192.0.2.1
          # past trusted hops, however they are spelled
          6.6.6.6, 192.0.2.1, 10.1.1.1             | 10.0.0.1         | 192.0.2.1
          6.6.6.6, 192.0.2.1, 10.1.1.1, 10.2.2.2   | 10.0.0.1         | 192.0.2.1
          6.6.6.6, 192.0.2.1, ::ffff:10.1.1.1      | 10.0.0.1         | 192.0.2.1
          6.6.6.6, 192.0.2.1, 64:ff9b::a01:101     | 10.0.0.1         | 192.0.2.1
          6.6.6.6, 192.0.2.1, 10.1.1.1:8080        | 10.0.0.1         | 192.0.2.1
          6.6.6.6, 192.0.2.1, [2001:DB8:F::1]:80   | 10.0.0.1         | 192.0.2.1
          6.6.6.6, 192.0.2.1, 192.168.1.7          | 10.0.0.1         | 192.0.2.1
          6.6.6.6, 192.168.1.8, 192.168.1.7        | 10.0.0.1         | 192.168.1.8
          6.6.6.6, 2001:db8:e::1, 2001:db8:f::1    | 10.0.0.1         | 2001:db8:e::/64
          6.6.6.6, 192.0.2.1                       | ::ffff:10.0.0.1  | 192.0.2.1
          6.6.6.6, 192.0.2.1                       | 2001:db8:f:1::1  | 192.0.2.1
          6.6.6.6, 192.0.2.1                       | [2001:db8:f::1]  | 192.0.2.1
          # all trusted: the leftmost
          10.1.1.1                                 | 10.0.0.1         | 10.1.1.1
          10.3.3.3, 10.2.2.2, 10.1.1.1             | 10.0.0.1         | 10.3.3.3
          2001:db8:f:7::1, 10.1.1.1                | 10.0.0.1         | 2001:db8:f:7::/64
          # what can't be read ends the walk
          192.0.2.1, unknown                       | 10.0.0.1         | 10.0.0.1
          192.0.2.1, _hidden                       | 10.0.0.1         | 10.0.0.1
          192.0.2.1, "192.0.2.2                    | 10.0.0.1         | 10.0.0.1
          192.0.2.1, 192.0.2.2"                    | 10.0.0.1         | 10.0.0.1
          192.0.2.1, ""                            | 10.0.0.1         | 10.0.0.1
          192.0.2.1, "                             | 10.0.0.1         | 10.0.0.1
          192.0.2.1,                               | 10.0.0.1         | 10.0.0.1
          192.0.2.1, ,                             | 10.0.0.1         | 10.0.0.1
          192.0.2.1, , 10.1.1.1                    | 10.0.0.1         | 10.1.1.1
          192.0.2.1, nonsense, 10.1.1.1            | 10.0.0.1         | 10.1.1.1
          192.0.2.1, 1.2, 10.2.2.2, 10.1.1.1       | 10.0.0.1         | 10.2.2.2
          192.0.2.1; 192.0.2.2                     | 10.0.0.1         | 10.0.0.1
          192.0.2.1 192.0.2.2                      | 10.0.0.1         | 10.0.0.1
          for=192.0.2.1                            | 10.0.0.1         | 10.0.0.1
          10.0.0.0/8                               | 10.0.0.1         | 10.0.0.1
          # nothing that is left open swallows what a proxy wrote
          ", 192.0.2.1                             | 10.0.0.1         | 192.0.2.1
          "6.6.6.6, 192.0.2.1                      | 10.0.0.1         | 192.0.2.1
          "6.6.6.6, "[2001:db8::1]:80"             | 10.0.0.1         | 2001:db8::/64
          \\, 192.0.2.1                            | 10.0.0.1         | 192.0.2.1
          # peers that aren't trusted, near ones included
          192.0.2.1                                | 11.0.0.1         | 11.0.0.1
          192.0.2.1                                | 9.255.255.255    | 9.255.255.255
          192.0.2.1                                | 192.168.1.6      | 192.168.1.6
          192.0.2.1                                | 2001:db8:10::1   | 2001:db8:10::/64
          192.0.2.1                                | 127.0.0.1        | 127.0.0.1
          192.0.2.1                                | ::a00:1          | ::/64
          192.0.2.1                                | /run/http.sock   | peer /run/http.sock
          """)
  void readsXForwardedForFromTheRight(String value, String peer, String caller) {
    assertEquals(caller, of(trusting("X-Forwarded-For"), peer, "x-forwarded-for", value));
  }

  @ParameterizedTest(name = "[{0}] is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          for=192.0.2.1                                              | 192.0.2.1
          For=192.0.2.1                                              | 192.0.2.1
          FOR="192.0.2.1"                                            | 192.0.2.1
          for="192.0.2.1:80"                                         | 192.0.2.1
          for=192.0.2.1:80                                           | 192.0.2.1
          for="192.0.2.1:_p"                                         | 192.0.2.1
          for="[2001:db8:cafe::17]:4711"                             | 2001:db8:cafe::/64
          for="[2001:db8:cafe::17]"                                  | 2001:db8:cafe::/64
          for=[2001:db8:cafe::17]                                    | 2001:db8:cafe::/64
          for="[::ffff:192.0.2.1]"                                   | 192.0.2.1
          for="\\1\\9\\2.0.2.1"                                      | 192.0.2.1
          proto=http;for=192.0.2.1                                   | 192.0.2.1
          proto=http;by=10.0.0.1;host=a;for=192.0.2.1;x=y            | 192.0.2.1
          for=192.0.2.1;host="a,b;for=6.6.6.6"                       | 192.0.2.1
          host="a\\",for=6.6.6.6;\\"";for=192.0.2.1                  | 192.0.2.1
          host="\\\\";for=192.0.2.1                                  | 192.0.2.1
          for=192.0.2.1; proto=http                                  | 192.0.2.1
          for=192.0.2.1;                                             | 192.0.2.1
          ;;for=192.0.2.1                                            | 192.0.2.1
          for=6.6.6.6, for=192.0.2.1                                 | 192.0.2.1
          for=6.6.6.6,for=192.0.2.1;by=203.0.113.43,for=10.1.1.1     | 192.0.2.1
          for=192.0.2.1, For="[2001:db8:f::1]:80", for=10.1.1.1      | 192.0.2.1
          for=10.2.2.2, for=10.1.1.1                                 | 10.2.2.2
          # unreadable hops
          for=unknown                                                | 10.0.0.1
          for=192.0.2.1, for=unknown                                 | 10.0.0.1
          for=192.0.2.1, for=_secret                                 | 10.0.0.1
          for=192.0.2.1, for="_a.b-c:_d"                             | 10.0.0.1
          for=192.0.2.1, for=unknown, for=10.1.1.1                   | 10.1.1.1
          for=192.0.2.1, by=10.1.1.1                                 | 10.0.0.1
          for=192.0.2.1, proto=https;host=a, for=10.1.1.1            | 10.1.1.1
          for=192.0.2.1, for=10.1.1.1;for=10.1.1.1                   | 10.0.0.1
          for=192.0.2.1;FOR=192.0.2.1                                | 10.0.0.1
          for=192.0.2.1;proto=http;Proto=https                       | 10.0.0.1
          for=192.0.2.1,                                             | 10.0.0.1
          for=192.0.2.1, ;                                           | 10.0.0.1
          for="192.0.2.1                                             | 10.0.0.1
          for=192.0.2.1"                                             | 10.0.0.1
          for="192.0.2.1\\"                                          | 10.0.0.1
          for="192.0.2.1"x                                           | 10.0.0.1
          for='192.0.2.1'                                            | 10.0.0.1
          for=" 192.0.2.1"                                           | 10.0.0.1
          for= 192.0.2.1                                             | 10.0.0.1
          for =192.0.2.1                                             | 10.0.0.1
          for=                                                       | 10.0.0.1
          for                                                        | 10.0.0.1
          =192.0.2.1                                                 | 10.0.0.1
          for=""                                                     | 10.0.0.1
          for=192.0.2.1 proto=http                                   | 10.0.0.1
          for=192.0.2.1;proto                                        | 10.0.0.1
          for=192.0.2.1;pro to=http                                  | 10.0.0.1
          f or=192.0.2.1                                             | 10.0.0.1
          fo\\r=192.0.2.1                                            | 10.0.0.1
          192.0.2.1                                                  | 10.0.0.1
          forfor=192.0.2.1                                           | 10.0.0.1
          for=192.0.2.1;proto="http                                  | 10.0.0.1
          # nothing that is left open swallows what a proxy wrote
          for="6.6.6.6, for=192.0.2.1                                | 192.0.2.1
          for=6.6.6.6;x=", for=192.0.2.1                             | 192.0.2.1
          for=6.6.6.6;x=", for=192.0.2.1;host="a"                    | 192.0.2.1
          for="x, for=192.0.2.1;host=";for=6.6.6.6;z="               | 192.0.2.1
          for=6.6.6.6;x="\\, for="192.0.2.1"                         | 192.0.2.1
          \\, for="192.0.2.1"                                        | 192.0.2.1
          for=6.6.6.6;x="\\", for="[2001:db8::1]:80";host="a\\"b"    | 2001:db8::/64
          """)
  void readsForwardedFromTheRight(String value, String caller) {
    assertEquals(caller, of(trusting("Forwarded"), "10.0.0.1", "forwarded", value));
  }

  @Test
  void readsSeveralLinesAsOneFromTheLastLineBack() {
    Asked asked = Asked.from("10.0.0.1").header("X-Forwarded-For", "6.6.6.6", "192.0.2.1");
    assertEquals(Optional.of("192.0.2.1"), trusting("X-Forwarded-For").of(asked));
    asked.header("x-forwarded-for", "10.2.2.2,10.3.3.3", "10.1.1.1");
    assertEquals(Optional.of("192.0.2.1"), trusting("X-Forwarded-For").of(asked));
    asked.header("X-Forwarded-For", "");
    assertEquals(Optional.of("10.0.0.1"), trusting("X-Forwarded-For").of(asked));
  }

  @Test
  void aQuoteLeftOpenInOneLineDoesNotReachTheNext() {
    Asked asked = Asked.from("10.0.0.1").header("Forwarded", "for=6.6.6.6;x=\"", "for=192.0.2.1");
    assertEquals(Optional.of("192.0.2.1"), trusting("Forwarded").of(asked));
    asked.header("Forwarded", "for=10.1.1.1;host=\"");
    assertEquals(Optional.of("10.0.0.1"), trusting("Forwarded").of(asked));
  }

  @Test
  void controlCharactersAreNoPartOfAQuotedString() {
    ClientAddress address = trusting("Forwarded");
    for (String control : List.of("\u0000", "\n", "\u001f", "\u007f", "\\\u0000", "\u0085")) {
      String value = "for=192.0.2.1;host=\"a" + control + "b\"";
      assertEquals("10.0.0.1", of(address, "10.0.0.1", "Forwarded", value));
    }
    String value = "for=192.0.2.1;host=\"a\tb c\u00e9\"";
    assertEquals("192.0.2.1", of(address, "10.0.0.1", "Forwarded", value));
  }

  @Test
  void aTrustedPeerThatNamesNobodyIsTheCaller() {
    assertEquals(Optional.of("10.0.0.1"), trusting("Forwarded").of(Asked.from("10.0.0.1")));
  }

  @Test
  void looksAtSixtyFourHopsAndNoFurther() {
    for (String glue : List.of(",", "\n")) {
      assertEquals("192.0.2.1", behind(63, glue));
      assertEquals("10.1.1.1", behind(64, glue));
      assertEquals("10.1.1.1", behind(100_000, glue));
    }
  }

  @Test
  void looksAtEightThousandCharactersAndNoFurther() {
    ClientAddress address = trusting("X-Forwarded-For");
    String hop = "192.0.2.1";
    for (int blanks = 8192 - 12; blanks <= 8192 + 12; blanks++) {
      String value = "6.6.6.6," + " ".repeat(blanks) + hop;
      String caller = blanks + hop.length() <= 8192 ? hop : "10.0.0.1";
      assertEquals(caller, of(address, "10.0.0.1", "X-Forwarded-For", value), blanks + " blanks");
    }
  }

  @Test
  void aPeerThatIsUnknownHasNoAddressWhateverTheHeaderSays() {
    Asked asked = Asked.outsideHttp().header("X-Forwarded-For", SPOOF);
    assertEquals(Optional.empty(), trusting("X-Forwarded-For").of(asked));
    assertEquals(Optional.of("peer "), trusting("X-Forwarded-For").of(asked.set("peer", " ")));
  }

  @Test
  void aPeerWithoutAnAddressNeverMeetsTheBucketOfABlock() {
    ClientAddress address = nobodyTrusted();
    String block = address.of(Asked.from("2001:db8::1")).orElseThrow();
    assertTrue(address.of(Asked.from(block)).isPresent());
    assertEquals(Optional.of("peer " + block), address.of(Asked.from(block)));
  }

  @ParameterizedTest(name = "trusting {0} includes {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.0.0.0/8                | 10.255.255.255   | true
          10.0.0.0/8                | 11.0.0.0         | false
          10.1.2.3/8                | 10.9.9.9         | true
          10.1.2.3/32               | 10.1.2.3         | true
          10.1.2.3/32               | 10.1.2.4         | false
          128.0.0.0/1               | 198.51.100.1     | true
          128.0.0.0/1               | 2001:db8::1      | false
          ::/1                      | 2001:db8::1      | true
          ::ffff:10.0.0.0/104       | 10.9.9.9         | true
          ::ffff:10.0.0.0/104       | 11.0.0.0         | false
          ::ffff:10.1.2.3           | 10.1.2.3         | true
          64:ff9b::10.0.0.0/104     | 10.9.9.9         | true
          2001:DB8::/32             | 2001:db8:9::1    | true
          2001:db8::1               | 2001:db8::1      | true
          2001:db8::1               | 2001:db8::2      | false
          fe80::/10                 | fe80::1%eth0     | true
          127.0.0.1,::1             | ::1              | true
          ' 10.0.0.0/8 , ::1 '      | 10.0.0.1         | true
          ''                        | 127.0.0.1        | false
          """)
  void trustsAddressesAndBlocks(String trusted, String peer, boolean included) {
    ClientAddress address =
        new ClientAddress(SettingsSnapshot.of(Map.of("weir.proxy.trusted", trusted)));
    boolean believed = of(address, peer, "X-Forwarded-For", "203.0.113.9").equals("203.0.113.9");
    assertEquals(included, believed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "10.0.0.0/33",
        "10.0.0.0/",
        "10.0.0.0/0x8",
        "10.0.0.0/8/8",
        "10.0.0.0/ 8",
        "10.0.0.0/8%x",
        "10.0.0.0/-1",
        "10.0.0.0/255.0.0.0",
        "10.*",
        "10.0.0.0-10.0.0.9",
        "10",
        "10.0/16",
        "/8",
        "::/129",
        "::1%eth0",
        "[::1]",
        "10.0.0.1:80",
        "proxy.example.org",
        "10.0.0.1;10.0.0.2",
        "0.0.0.0/0",
        "::/0",
        "::ffff:0.0.0.0/96",
        "64:ff9b::/96",
        "10.0.0.0/0",
        "012.0.0.1"
      })
  void refusesAMalformedEntryByItsName(String entry) {
    String all = "10.0.0.0/8," + entry + " ,::1";
    InvalidSettingException refused =
        assertThrows(
            InvalidSettingException.class,
            () -> new ClientAddress(SettingsSnapshot.of(Map.of("weir.proxy.trusted", all))));
    assertTrue(refused.getMessage().contains("'" + entry + "'"), refused.getMessage());
    assertTrue(refused.getMessage().contains("weir.proxy.trusted"), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 0",
    "10.0.0.0/7, 1",
    "'128.0.0.0/1, ::1', 1",
    "2001::/16, 0",
    "2000::/15, 1",
    "::ffff:10.0.0.0/104, 0",
    "::ffff:10.0.0.0/103, 1",
    "'0.0.0.0/1, 128.0.0.0/1', 2",
    "10.0.0.1, 0",
  })
  void warnsOfABlockThatIsMoreThanANetworkOnceItIsInForce(String trusted, int warnings) {
    try (LogLines logged = new LogLines()) {
      ClientAddress address = reading(Map.of("weir.proxy.trusted", trusted));
      assertEquals(0, logged.lines().size(), "it may be refused yet");
      address.takeEffect();
      address.takeEffect();
      assertEquals(warnings, logged.lines().size());
      logged
          .lines()
          .forEach(each -> assertTrue(each.startsWith("WARNING weir.proxy.trusted: the entry '")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Real-IP", "", "X-Forwarded", "Forwarded,X-Forwarded-For"})
  void refusesAnyOtherHeader(String header) {
    InvalidSettingException refused =
        assertThrows(InvalidSettingException.class, () -> trusting(header));
    assertTrue(refused.getMessage().contains("weir.proxy.header"), refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "129", "-1", "x"})
  void refusesAPrefixThatIsNone(String prefix) {
    assertThrows(
        InvalidSettingException.class,
        () -> new ClientAddress(SettingsSnapshot.of(Map.of("weir.ipv6.prefix", prefix))));
  }

  private static String behind(int trustedHops, String glue) {
    String hops = "192.0.2.1" + (glue + "10.1.1.1").repeat(trustedHops);
    return of(trusting("X-FORWARDED-FOR"), "10.0.0.1", "X-Forwarded-For", hops.split("\n"));
  }

  private static String of(ClientAddress address, String peer, String header, String... lines) {
    return address.of(Asked.from(peer).header(header, lines)).orElseThrow();
  }

  private static ClientAddress reading(Map<String, String> settings) {
    return new ClientAddress(SettingsSnapshot.of(settings));
  }

  private static ClientAddress trusting(String header) {
    return new ClientAddress(
        SettingsSnapshot.of(Map.of("weir.proxy.trusted", TRUSTED, "weir.proxy.header", header)));
  }

  private static ClientAddress nobodyTrusted() {
    return new ClientAddress(SettingsSnapshot.of(Collections.emptyMap()));
  }
}
