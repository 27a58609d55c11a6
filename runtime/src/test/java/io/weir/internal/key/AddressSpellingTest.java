package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.settings.SettingsSnapshot;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One address has one key, however it is spelled and wherever it stands; nonsense has none. */
class AddressSpellingTest {
  private static final String PROXY = "10.0.0.1";

  private final ClientAddress byXForwardedFor = address("X-Forwarded-For");
  private final ClientAddress byForwarded = address("Forwarded");

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          192.0.2.1                                    | 192.0.2.1
          192.0.2.1:80                                 | 192.0.2.1
          192.0.2.1:0                                  | 192.0.2.1
          192.0.2.1:65535                              | 192.0.2.1
          192.0.2.1:_hidden                            | 192.0.2.1
          192.0.2.10                                   | 192.0.2.10
          0.0.0.0                                      | 0.0.0.0
          255.255.255.255                              | 255.255.255.255
          127.0.0.1                                    | 127.0.0.1
          ::ffff:192.0.2.1                             | 192.0.2.1
          ::FFFF:192.0.2.1                             | 192.0.2.1
          ::ffff:c000:201                              | 192.0.2.1
          ::ffff:C000:0201                             | 192.0.2.1
          0:0:0:0:0:ffff:192.0.2.1                     | 192.0.2.1
          0000:0000:0000:0000:0000:ffff:192.0.2.1      | 192.0.2.1
          0:0:0:0:0:ffff:c000:201                      | 192.0.2.1
          [::ffff:192.0.2.1]                           | 192.0.2.1
          [::ffff:192.0.2.1]:443                       | 192.0.2.1
          ::ffff:192.0.2.1%eth0                        | 192.0.2.1
          64:ff9b::192.0.2.1                           | 192.0.2.1
          64:ff9b::c000:201                            | 192.0.2.1
          64:FF9B::C000:201                            | 192.0.2.1
          0064:ff9b:0:0:0:0:192.0.2.1                  | 192.0.2.1
          [64:ff9b::c000:201]:4711                     | 192.0.2.1
          ::ffff:0.0.0.0                               | 0.0.0.0
          ::ffff:203.0.113.9                           | 203.0.113.9
          2001:db8::1                                  | 2001:db8::/64
          2001:DB8::1                                  | 2001:db8::/64
          2001:dB8::2                                  | 2001:db8::/64
          2001:db8:0:0:0:0:0:1                         | 2001:db8::/64
          2001:0db8:0000:0000:0000:0000:0000:0001      | 2001:db8::/64
          2001:db8:0:0::1                              | 2001:db8::/64
          2001:db8::0.0.0.1                            | 2001:db8::/64
          2001:db8::ffff:ffff:ffff:ffff                | 2001:db8::/64
          2001:db8::192.0.2.1                          | 2001:db8::/64
          2001:db8::                                   | 2001:db8::/64
          [2001:db8::1]                                | 2001:db8::/64
          [2001:db8::1]:80                             | 2001:db8::/64
          [2001:db8::1]:_port                          | 2001:db8::/64
          2001:db8::1%0                                | 2001:db8::/64
          [2001:db8::1%25eth0]:80                      | 2001:db8::/64
          2001:db8:0:1::1                              | 2001:db8:0:1::/64
          2001:db8:1::1                                | 2001:db8:1::/64
          2001:db8:1::8000:0:0:1                       | 2001:db8:1::/64
          2001:db8:1:0:8000::1                         | 2001:db8:1::/64
          2001:db8:0:8000::1                           | 2001:db8:0:8000::/64
          fe80::1                                      | fe80::/64
          fe80::1%eth0                                 | fe80::/64
          fe80::1%eth1.100                             | fe80::/64
          fe80::1%en-0_a~b                             | fe80::/64
          fe80:0:0:0:0:0:0:1%2                         | fe80::/64
          [fe80::1%lo]                                 | fe80::/64
          ::1                                          | ::/64
          0:0:0:0:0:0:0:1                              | ::/64
          ::                                           | ::/64
          ::192.0.2.1                                  | ::/64
          ::fffe:192.0.2.1                             | ::/64
          ::ffff:0:192.0.2.1                           | ::/64
          64:ff9b:1::192.0.2.1                         | 64:ff9b:1::/64
          64:ff9b::1:192.0.2.1                         | 64:ff9b::/64
          1:2:3:4:5:6:7:8                              | 1:2:3:4::/64
          1:2:3:4:5:6:7::                              | 1:2:3:4::/64
          ::2:3:4:5:6:7:8                              | 0:2:3:4::/64
          1:2:3:4:5:6:192.0.2.1                        | 1:2:3:4::/64
          ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff      | ffff:ffff:ffff:ffff::/64
          """)
  void everySpellingLeadsToOneKey(String text, String canonical) {
    assertEquals(Optional.of(canonical), byXForwardedFor.of(Asked.from(text)));
    assertEquals(canonical, hop(byXForwardedFor, "X-Forwarded-For", text));
    assertEquals(canonical, hop(byXForwardedFor, "X-Forwarded-For", " \t" + text + "\t "));
    assertEquals(canonical, hop(byXForwardedFor, "X-Forwarded-For", '"' + text + '"'));
    assertEquals(canonical, hop(byForwarded, "Forwarded", "for=\"" + text + '"'));
    assertEquals(canonical, hop(byForwarded, "Forwarded", "FOR=\"\\" + text + "\" "));
  }

  @ParameterizedTest(name = "[{0}] is no address")
  @ValueSource(
      strings = {
        "unknown",
        "_hidden",
        "_",
        "localhost",
        "example.org",
        "1",
        "1.2",
        "1.2.3",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "1.2.3.4.5",
        "1.2.3.4.",
        "256.1.1.1",
        "1.2.3.999",
        "3221225985",
        "0xc0000201",
        "0xc0.0.2.1",
        "0300.0.2.1",
        "192.0.2.01",
        "192.0.2.001",
        "00.0.0.0",
        "192.0.513",
        "0b11.0.2.1",
        "-1.2.3.4",
        "+1.2.3.4",
        "1.2.3.4 5",
        "1.2.3.4/32",
        "1.2.3.4/255.255.255.255",
        "1.2.3.*",
        "1.2.3.1-9",
        "1.2.3._",
        "*",
        "/8",
        "1.2.3.4:",
        "1.2.3.4:x",
        "1.2.3.4:123456",
        "1.2.3.4:-1",
        "1.2.3.4:80:80",
        "1.2.3.4:_",
        "1.2.3.4:_a b",
        "1.2.3.4%eth0",
        "[1.2.3.4]",
        "[1.2.3.4]:80",
        "[]",
        "[]:80",
        "[",
        "]",
        "[::1",
        "::1]",
        "[[::1]]",
        "[::1]80",
        "[::1]:",
        "[::1]:x",
        "[::1] :80",
        "[::1]::80",
        "x[::1]",
        ":",
        ":::",
        ":1",
        "1:",
        "1:2",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1::2::3",
        "::12345",
        "::00001",
        "::g",
        "::1/64",
        "::1/128",
        "::*",
        "::1-5",
        "::1%",
        "::1%eth 0",
        "::1%eth/0",
        "::1%é",
        "%eth0",
        "::ffff:1.2.3",
        "::ffff:1.2.3.04",
        "::ffff:0x1.2.3.4",
        "::ffff:256.2.3.4",
        "::1.2.3.4:5",
        "1:2:3:4:5:6:7:1.2.3.4",
        "20010db8000000000000000000000001",
        "0x20010db8000000000000000000000001",
        "4)+k&C#VzJ4br>0wv%Yp",
        "2001-db8--1.ipv6-literal.net",
        "1.2.3.4\u0000",
        "\u00001.2.3.4",
        "1.2.3.4\n",
        "\u000b1.2.3.4",
        "1.2.3.4\u00a0",
        "1.2.3.4\u2003",
        "\ufeff1.2.3.4",
        "\u0661.\u0662.\u0663.\u0664",
        "\uff11.2.3.4",
        "1\uff0e2\uff0e3\uff0e4",
        "::\uff21",
        "'1.2.3.4'",
        "http://1.2.3.4",
        "1.2.3.4;5.6.7.8",
        "1.2.3.4 5.6.7.8",
        "0000:0000:0000:0000:0000:0000:0000:0000:0000:0001"
      })
  void nonsenseIsNobodysAddress(String text) {
    assertEquals(Optional.of("peer " + text), byXForwardedFor.of(Asked.from(text)));
    assertEquals(PROXY, hop(byXForwardedFor, "X-Forwarded-For", text));
    assertEquals(PROXY, hop(byForwarded, "Forwarded", "for=\"" + text + '"'));
  }

  @ParameterizedTest(name = "a prefix of {0} makes it {1}")
  @CsvSource({
    "128, 2001:db8:1:2:3:4:5:6/128",
    "127, 2001:db8:1:2:3:4:5:6/127",
    "65, 2001:db8:1:2::/65",
    "64, 2001:db8:1:2::/64",
    "63, 2001:db8:1:2::/63",
    "56, 2001:db8:1::/56",
    "48, 2001:db8:1::/48",
    "1, ::/1"
  })
  void countsIPv6ByAsManyBitsAsTheSettingSays(String prefix, String canonical) {
    ClientAddress address =
        new ClientAddress(SettingsSnapshot.of(Map.of("weir.ipv6.prefix", prefix)));
    assertEquals(Optional.of(canonical), address.of(Asked.from("2001:db8:1:2:3:4:5:6")));
    assertEquals(Optional.of("192.0.2.1"), address.of(Asked.from("::ffff:192.0.2.1")));
  }

  @Test
  void whatIsRememberedNeverAnswersForAnotherText() {
    IntStream.range(0, 30_000)
        .parallel()
        .map(number -> number % 6_000)
        .mapToObj(number -> "198." + number / 4096 + '.' + number / 64 % 64 + '.' + number % 64)
        .forEach(
            text ->
                assertEquals(
                    Optional.of(text), byXForwardedFor.of(Asked.from("::ffff:" + text + "%1"))));
  }

  private static String hop(ClientAddress address, String header, String value) {
    return address.of(Asked.from(PROXY).header(header, value)).orElseThrow();
  }

  private static ClientAddress address(String header) {
    return new ClientAddress(
        SettingsSnapshot.of(Map.of("weir.proxy.trusted", PROXY, "weir.proxy.header", header)));
  }
}
