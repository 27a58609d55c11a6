package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.settings.SettingsSnapshot;
import io.weir.test.log.LogLines;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Warns of callers that share an address before they are locked out together. */
class SharedAddressWarningTest {
  private static final String XFF = "X-Forwarded-For";
  private static final String TRUSTED = "weir.proxy.trusted";

  @ParameterizedTest
  @ValueSource(
      strings = {"10.1.2.3", "127.0.0.1", "::1", "172.16.0.9", "fd00::7", "fe80::1%eth0", "unix:"})
  void aHeaderFromAPrivateAddressThatIsNotTrustedIsWorthALineAtOnce(String proxy) {
    ClientAddress addresses = reading(Map.of());
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int i = 0; i < 5; i++) {
        addresses.key(Asked.from(proxy).header(XFF, "198.51.100." + i));
      }
      assertEquals(1, warnings.lines().size(), warnings.lines()::toString);
      assertTrue(warnings.lines().get(0).contains("(" + proxy + ")"), warnings.lines()::toString);
      assertTrue(
          warnings.lines().get(0).contains("weir.proxy.trusted"), warnings.lines()::toString);
    }
  }

  @Test
  void aHeaderThroughAUnixDomainSocketThatIsNotTrustedNamesWhatTrustsIt() {
    ClientAddress addresses = reading(Map.of(TRUSTED, "10.0.0.0/8"));
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int i = 0; i < 5; i++) {
        addresses.key(Asked.from("").header(XFF, "198.51.100." + i));
      }
      assertEquals(1, warnings.lines().size(), warnings.lines()::toString);
      assertTrue(
          warnings.lines().get(0).contains("a Unix-domain socket"), warnings.lines()::toString);
      assertTrue(
          warnings.lines().get(0).contains("weir.proxy.trusted"), warnings.lines()::toString);
      assertTrue(warnings.lines().get(0).contains("unix:"), warnings.lines()::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {XFF, "Forwarded"})
  void aHeaderThatAnybodyMaySendIsNoneUnlessMostDo(String header) {
    ClientAddress addresses = reading(Map.of());
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int i = 0; i < 500; i++) {
        addresses.key(Asked.from("198.51.100." + i % 200).header(header, "for=192.0.2.1"));
      }
      assertEquals(List.of(), warnings.lines());
      addresses.key(Asked.from("198.51.100.7").header(header, "for=192.0.2.1"));
      assertEquals(1, warnings.lines().size());
      assertTrue(
          warnings.lines().get(0).contains("come with " + header), warnings.lines()::toString);
    }
  }

  /** The address may be that of somebody who sends the field to become trusted. */
  @ParameterizedTest
  @ValueSource(strings = {"198.51.100.7", "10.1.2.3", ""})
  void noWarningAdvisesToTrustWhoeverSendsAHeader(String sender) {
    ClientAddress addresses = reading(Map.of());
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int i = 0; i < 501; i++) {
        addresses.key(Asked.from(sender).header(XFF, "192.0.2.1"));
      }
      String warning = warnings.lines().get(0);
      assertTrue(warning.contains("Any caller can send this field"), warning);
      assertTrue(warning.contains("Only if it comes from your own proxy"), warning);
    }
  }

  @Test
  void halfOfAThousandIsNotMost() {
    ClientAddress addresses = reading(Map.of());
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int i = 0; i < SharedAddressWarning.ROUND; i++) {
        Asked asked = Asked.from("198.51.100." + i % 200);
        addresses.key(i % 2 == 0 ? asked.header(XFF, "192.0.2.1") : asked);
      }
      assertEquals(List.of(), warnings.lines());
    }
  }

  @Test
  void aTrustedProxyWithTheOtherHeaderAloneIsToBeConfiguredNotBelieved() {
    ClientAddress addresses = reading(Map.of(TRUSTED, "10.0.0.0/8"));
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      addresses.key(Asked.from("10.0.0.1").header("Forwarded", "for=192.0.2.1"));
      addresses.key(Asked.from("10.0.0.1").header("Forwarded", "for=192.0.2.2"));
      assertEquals(1, warnings.lines().size());
      String warning = warnings.lines().get(0);
      assertTrue(warning.contains("Configure the proxy to write X-Forwarded-For"), warning);
      assertFalse(warning.contains("weir.proxy.header="), warning); // a client may have sent it
    }
  }

  @Test
  void anotherHeaderBesideTheBelievedOneIsTheClients() {
    ClientAddress addresses = reading(Map.of(TRUSTED, "10.0.0.0/8"));
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (String hop : new String[] {"10.0.0.2", "unknown"}) {
        addresses.key(Asked.from("10.0.0.1").header(XFF, hop).header("Forwarded", "for=192.0.2.1"));
      }
      assertEquals(List.of(), warnings.lines());
    }
  }

  @ParameterizedTest
  @CsvSource({"10.0.0.1,''", "127.0.0.1,''", "192.0.2.9,192.0.2.9"})
  void mostRequestsFromOnePrivateOrTrustedAddressAreACrowd(String peer, String trusted) {
    ClientAddress addresses = reading(Map.of(TRUSTED, trusted));
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int i = 0; i < 500; i++) {
        addresses.key(Asked.from(peer));
      }
      assertEquals(List.of(), warnings.lines());
      for (int i = 0; i < 500; i++) {
        addresses.key(Asked.from(peer));
      }
      assertEquals(1, warnings.lines().size(), warnings.lines()::toString);
      String warning = warnings.lines().get(0);
      assertTrue(warning.contains("come from " + peer), warning);
      assertEquals(!trusted.isEmpty(), warning.contains("a trusted proxy's own"), warning);
      assertEquals(trusted.isEmpty(), warning.endsWith("add it to weir.proxy.trusted"), warning);
    }
  }

  @Test
  void aProxyThatIsTrustedAndVouchesForItsCallersIsFine() {
    ClientAddress addresses = reading(Map.of(TRUSTED, "10.0.0.1"));
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int i = 0; i < 3_000; i++) {
        addresses.key(Asked.from("10.0.0.1").header(XFF, "198.51.100." + i % 200));
      }
      assertEquals(List.of(), warnings.lines());
    }
  }

  @Test
  void itsOwnRequestsAmongThoseOfOthersAreNoCrowd() {
    ClientAddress addresses = reading(Map.of(TRUSTED, "10.0.0.1"));
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int i = 0; i < 1_400; i++) {
        Asked asked = Asked.from("10.0.0.1");
        addresses.key(i % 5 < 3 ? asked.header(XFF, "198.51.100." + i % 200) : asked);
      }
      assertEquals(List.of(), warnings.lines());
    }
  }

  @Test
  void aHopThatCannotBeReadIsNoOtherHeader() {
    ClientAddress addresses = reading(Map.of(TRUSTED, "10.0.0.1"));
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      addresses.key(Asked.from("10.0.0.1").header(XFF, "unknown"));
      assertEquals(List.of(), warnings.lines());
    }
  }

  @Test
  void onePublicAddressWithManyRequestsIsJustBusy() {
    ClientAddress addresses = reading(Map.of());
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int i = 0; i < 3_000; i++) {
        addresses.key(Asked.from("198.51.100.7"));
      }
      assertEquals(List.of(), warnings.lines());
    }
  }

  @Test
  void eachRoundIsJudgedByItself() {
    SharedAddressWarning watch =
        new SharedAddressWarning(ForwardingHeader.X_FORWARDED_FOR, () -> 0);
    try (LogLines warnings = new LogLines("io.weir.internal.key")) {
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 500; i++) {
          look(watch, "10.0.0.1");
          look(watch, "198.51.100." + i % 200);
        }
      }
      assertEquals(List.of(), warnings.lines());
      for (int i = 0; i < 501; i++) {
        look(watch, "10.0.0.1");
      }
      assertEquals(1, warnings.lines().size());
    }
  }

  @Test
  void laterOnlyASampleIsLookedAt() {
    AtomicInteger dice = new AtomicInteger(1);
    SharedAddressWarning watch =
        new SharedAddressWarning(ForwardingHeader.X_FORWARDED_FOR, dice::get);
    for (int i = 0; i < SharedAddressWarning.ROUND; i++) {
      assertTrue(watch.isDue());
      watch.skip();
    }
    watch.skip();
    assertFalse(watch.isDue());
    dice.set(SharedAddressWarning.ONE_IN - 1);
    assertFalse(watch.isDue());
    dice.set(-SharedAddressWarning.ONE_IN);
    assertTrue(watch.isDue());
  }

  @Test
  void settingsThatSayTheSameReadTheSame() {
    ClientAddress one = reading(Map.of(TRUSTED, "10.0.0.0/8, ::1"));
    assertTrue(one.readsAs(reading(Map.of(TRUSTED, "10.0.0.0/8,0:0::1", "weir.headers", "none"))));
    assertFalse(one.readsAs(reading(Map.of(TRUSTED, "10.0.0.0/8"))));
    Map<String, String> other =
        Map.of(TRUSTED, "10.0.0.0/8, ::1", "weir.proxy.header", "Forwarded");
    assertFalse(one.readsAs(reading(other)));
    Map<String, String> wider = Map.of(TRUSTED, "10.0.0.0/8, ::1", "weir.ipv6.prefix", "48");
    assertFalse(one.readsAs(reading(wider)));
    assertFalse(one.readsAs(reading(Map.of(TRUSTED, "10.0.0.0/8, ::1, unix:"))));
  }

  private static void look(SharedAddressWarning watch, String peer) {
    watch.examine(Asked.from(peer), peer, false, io.weir.Key.address(peer));
  }

  private static ClientAddress reading(Map<String, String> settings) {
    return new ClientAddress(SettingsSnapshot.of(settings));
  }
}
