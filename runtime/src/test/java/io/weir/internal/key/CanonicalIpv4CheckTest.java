package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import inet.ipaddr.IPAddress;
import io.weir.internal.value.IpAddressParser;
import io.weir.seeds.Seeds;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Texts that it accepts are addresses in their only spelling; all others are left to the library.
 */
class CanonicalIpv4CheckTest {
  private static final String LETTERS = "0122599.....";

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "127.0.0.1", "192.0.2.10", "255.255.255.255", "1.10.100.200"})
  void knowsAddresses(String text) {
    assertTrue(CanonicalIpv4Check.isAddress(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "...",
        "1",
        "1.2.3",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "1.2.3.4.",
        "1.2.3.4.5",
        "256.0.0.1",
        "1.2.3.999",
        "01.2.3.4",
        "1.2.3.00",
        "1.2.3.0004",
        "1.2.3.-4",
        "1.2.3.+4",
        " 1.2.3.4",
        "1.2.3.4 ",
        "1.2.3.4:80",
        "1.2.3.4%eth0",
        "::1",
        "1.2.3.a",
        "1.2.3.٤",
        "0x1.2.3.4"
      })
  void leavesEverythingElse(String text) {
    assertFalse(CanonicalIpv4Check.isAddress(text));
  }

  @Test
  void agreesWithTheLibraryOnWhateverLooksAlike() {
    Random random = new Random(Seeds.first());
    for (int round = 0; round < Seeds.times(20_000); round++) {
      StringBuilder text = new StringBuilder();
      for (int length = 5 + random.nextInt(10); text.length() < length; ) {
        text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      Optional<String> read =
          IpAddressParser.node(text.toString()).map(IPAddress::toCanonicalString);
      boolean same = read.equals(Optional.of(text.toString()));
      assertEquals(same, CanonicalIpv4Check.isAddress(text.toString()), text.toString());
    }
  }

  @Test
  void agreesWithTheLibraryOnWhatIsLocal() {
    for (int block = 0; block < 1 << 16; block++) {
      boolean multicast = block >> 12 == 0xe; // no peer has such an address
      if (!multicast) {
        agreeOnWhatIsLocal((block >> 8) + "." + (block & 0xff) + ".0.1");
      }
    }
    agreeOnWhatIsLocal("0.0.0.0");
    agreeOnWhatIsLocal("255.255.255.255");
  }

  private static void agreeOnWhatIsLocal(String text) {
    IPAddress address = IpAddressParser.node(text).orElseThrow();
    assertEquals(address.isLoopback() || address.isLocal(), CanonicalIpv4Check.isLocal(text), text);
  }
}
