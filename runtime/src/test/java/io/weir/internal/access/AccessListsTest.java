package io.weir.internal.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.key.KeyReader;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.internal.value.AddressBits;
import io.weir.spi.KeyResolver;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The entries of settings, file and policy source make one list. */
class AccessListsTest {
  private static final Map<String, KeyResolver> RESOLVERS =
      Map.of("tenant", request -> Optional.of("acme"));

  /** Far longer than needed. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final AccessLists lists =
      new AccessLists(text -> KeyReader.expression(text, RESOLVERS), RESOLVERS, Callers.CLOCK);

  private ClientAddress addresses = new ClientAddress(SettingsSnapshot.of(Map.of()));

  @AfterEach
  void close() {
    lists.close();
  }

  private void set(String... settings) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    SettingsSnapshot now = SettingsSnapshot.of(all);
    addresses = new ClientAddress(now);
    lists.prepare(now, addresses).run();
  }

  private boolean denies(String address) {
    return lists.find(new Callers.From(address), addresses, false, AccessFinding.UNREAD).denies();
  }

  private void source(String... lines) {
    lists.setSourceEntries(List.of(lines).stream().map(AccessEntry::parse).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.0/8 | must not share addresses with weir.proxy.trusted",
        "10.0.3.7 | must not share addresses with weir.proxy.trusted",
        "2001:db8::/16 | must not share addresses with weir.proxy.trusted",
        "0.0.0.0/0 | must not cover all addresses",
        "resolver:team:red | must name a KeyResolver that is registered; those are [tenant]",
        "key:sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad |"
            + " needs weir.access.key",
        "alice | must be an address, a CIDR block, or begin with ip:, key:, user: or resolver:"
      })
  void anEntryThatCantBeMeantStopsTheStartWithTheReason(String entry, String rule) {
    for (String setting : List.of("weir.access.deny", "weir.access.allow")) {
      InvalidSettingException mistake =
          assertThrows(
              InvalidSettingException.class,
              () -> set(setting, entry, "weir.proxy.trusted", "10.0.3.0/24, 2001:db8::1"));
      String message = String.valueOf(mistake.getMessage());
      assertTrue(message.contains(setting) && message.contains(rule), message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.0.0.0/1, 128.0.0.0/1 | IPv4",
        "128.0.0.0/1, 0.0.0.0/2, 64.0.0.0/3, 96.0.0.0/3, 64.1.0.0/16 | IPv4",
        "::/1, 8000::/1, 192.0.2.1 | IPv6"
      })
  void blocksThatTogetherCoverAlmostEverythingStopTheStart(String entries, String version) {
    InvalidSettingException mistake =
        assertThrows(InvalidSettingException.class, () -> set("weir.access.deny", entries));
    String message = String.valueOf(mistake.getMessage());
    assertTrue(message.contains("weir.access.deny"), message);
    assertTrue(message.contains("must leave at least a /"), message);
    assertTrue(message.contains(version + " addresses"), message);
    set("weir.access.allow", entries);
  }

  @ParameterizedTest
  @CsvSource({"true, 24, 192.0.2.1, 0.0.0.1", "false, 48, 2001:db8::1, ::1"})
  void aSlash24OrASlash48MustBeLeft(boolean isIPv4, int least, String denied, String left) {
    set("weir.access.deny", allButTheFirst(least, isIPv4));
    assertTrue(denies(denied));
    assertFalse(denies(left));
    String more = allButTheFirst(least + 1, isIPv4);
    assertThrows(InvalidSettingException.class, () -> set("weir.access.deny", more));
  }

  /** Covers everything but the first block of a length, by one block of each length up to it. */
  private static String allButTheFirst(int length, boolean isIPv4) {
    return IntStream.rangeClosed(1, length)
        .mapToObj(
            each -> {
              long bits = 1L << Long.SIZE - each;
              AddressBits block =
                  isIPv4
                      ? new AddressBits(0, 0xffffL << 32 | bits >>> 32, 96 + each)
                      : new AddressBits(bits, 0, each);
              return block.text();
            })
        .collect(Collectors.joining(","));
  }

  @Test
  void ofASourceThatDeniesAlmostEverythingTheLargestBlocksAreIgnored() {
    set("weir.access.deny", "0.0.0.0/1");
    try (LogLines log = new LogLines()) {
      source(
          "128.0.0.0/1",
          "198.51.0.0/16",
          "allow 10.0.0.0/8",
          "128.0.0.0/1 shadow",
          "128.0.0.0/1 until=2026-11-29T00:00:00Z",
          "::/1");
      String line = log.warnings().toString();
      assertEquals(1, log.warnings().size(), line);
      assertTrue(line.contains("ip:128.0.0.0/1: together with all others that deny must"), line);
      assertFalse(line.contains("more"), line);
    }
    assertTrue(denies("1.2.3.4"), "by settings");
    assertFalse(denies("192.0.2.1"), "the block is ignored");
    assertTrue(denies("198.51.100.1"), "a smaller one isn't");
    assertTrue(denies("2001:db8::1"), "nor one of the other version");
    source("128.0.0.0/1 shadow", "128.0.0.0/1 until=2026-11-29T00:00:00Z");
    assertFalse(denies("192.0.2.1"));
    set();
    source("128.0.0.0/1", "198.51.0.0/16");
    assertTrue(denies("192.0.2.1"), "alone it holds");
  }

  @Test
  void elsewhereSuchAnEntryIsIgnoredWithTheReasonAndTheOthersHold() {
    set("weir.proxy.trusted", "10.0.3.0/24");
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 2; i++) {
        source("10.0.0.0/8", "203.0.113.7", "resolver:team:red");
      }
      assertEquals(1, log.warnings().size(), log.warnings()::toString);
      String line = log.warnings().get(0);
      assertTrue(line.contains("ip:10.0.0.0/8: must not share addresses"), line);
      assertTrue(line.contains("resolver:team:red: must name a KeyResolver"), line);
    }
    assertTrue(denies("203.0.113.7"));
    assertFalse(denies("10.9.9.9"));
  }

  @Test
  void allSourcesMakeOneListInWhichTheLongestPrefixCounts(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("list.txt");
    Files.writeString(file, "allow 203.0.113.0/28\n198.51.100.0/24\n");
    set("weir.access.deny", "203.0.113.0/24", "weir.access.file", file.toString());
    source("203.0.113.7", "allow 203.0.113.0/28", "deny 203.0.113.0/28 until=2026-11-29T00:00:00Z");
    assertTrue(denies("203.0.113.99"), "by settings");
    assertFalse(denies("203.0.113.1"), "allowed by the file");
    assertTrue(denies("203.0.113.7"), "by the source");
    assertTrue(denies("198.51.100.1"), "by the file");
    assertEquals(
        Optional.of(
            "access list: entries: 1 in settings, 2 in " + file + ", 3 of the policy source"),
        lists.describe());
    Files.writeString(file, "192.0.2.1\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
    lists.look();
    assertFalse(denies("192.0.2.1"), "it may still be written");
    lists.look();
    assertTrue(denies("192.0.2.1"));
    assertFalse(denies("198.51.100.1"));
    set("weir.access.deny", "203.0.113.0/24");
    assertFalse(denies("192.0.2.1"), "the file is no longer set");
    source();
    set();
    assertFalse(lists.areInUse());
  }

  @Test
  void aListThatNamesOneAddressAgainAndAgainIsReadAtOnce() {
    set();
    List<AccessEntry> entries =
        IntStream.range(0, 200_000)
            .mapToObj(i -> AccessEntry.parse("203.0.113.7 reason=attack " + i))
            .toList();
    assertTimeoutPreemptively(LONGEST, () -> lists.setSourceEntries(entries));
    assertTrue(denies("203.0.113.7"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"203.0.113.7", "resolver:tenant:acme"})
  void noRequestWalksThroughEntriesOfItsCallerThatHaveExpired(String subject) {
    AtomicInteger looks = new AtomicInteger();
    Ticker counting =
        new Ticker() {
          @Override
          public long nanoTime() {
            return 0;
          }

          @Override
          public long epochMicros() {
            looks.incrementAndGet();
            return Callers.CLOCK.epochMicros();
          }
        };
    try (AccessLists many =
        new AccessLists(text -> KeyReader.expression(text, RESOLVERS), RESOLVERS, counting)) {
      many.prepare(SettingsSnapshot.of(Map.of()), addresses).run();
      List<AccessEntry> entries = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        String end = " until=" + Callers.NOW.minusSeconds(i);
        entries.add(AccessEntry.parse("deny " + subject + end));
        entries.add(AccessEntry.parse("deny " + subject + end + " shadow"));
        entries.add(AccessEntry.parse("allow " + subject + end));
      }
      entries.add(AccessEntry.parse("allow " + subject + " counted"));
      many.setSourceEntries(entries);
      looks.set(0);
      AccessFinding found =
          many.find(new Callers.From("203.0.113.7"), addresses, false, AccessFinding.UNREAD);
      assertTrue(found.isMeasuredOnly());
      assertTrue(looks.get() <= 3, looks::toString);
    }
  }

  @Test
  void ofEntriesThatDoTheSameTheOneThatEndsLastHolds() {
    set();
    source("192.0.2.1 until=2027-01-01T00:00:00Z", "192.0.2.1 until=2026-11-29T00:00:00Z");
    assertTrue(denies("192.0.2.1"));
    source("192.0.2.1 until=2026-11-29T00:00:00Z", "192.0.2.1 until=2027-01-01T00:00:00Z");
    assertTrue(denies("192.0.2.1"));
    source("192.0.2.1 until=2026-11-29T00:00:00Z", "192.0.2.1");
    assertTrue(denies("192.0.2.1"));
    source("192.0.2.1", "192.0.2.1 until=2026-11-29T00:00:00Z");
    assertTrue(denies("192.0.2.1"));
  }

  @Test
  void aLookThatFailsIsNotTheLast(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("list.txt");
    Files.writeString(file, "resolver:broken:x\n192.0.2.1\n");
    AtomicBoolean fails = new AtomicBoolean();
    Map<String, KeyResolver> resolvers =
        new HashMap<>(RESOLVERS) {
          @Override
          public boolean containsKey(Object name) {
            if (fails.get()) {
              throw new IllegalStateException("wanted by the test");
            }
            return super.containsKey(name);
          }
        };
    try (AccessLists broken =
            new AccessLists(
                text -> KeyReader.expression(text, resolvers), resolvers, Callers.CLOCK);
        LogLines log = new LogLines()) {
      broken
          .prepare(SettingsSnapshot.of(Map.of("weir.access.file", file.toString())), addresses)
          .run();
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
      fails.set(true);
      broken.look();
      broken.look();
      assertTrue(log.warnings().toString().contains("wanted by the test"));
    }
  }

  @Test
  void nothingLooksAtTheFileAfterTheEnd(@TempDir Path directory) {
    lists.start();
    lists.close();
    set("weir.access.file", directory.resolve("list.txt").toString());
    assertFalse(
        Thread.getAllStackTraces().keySet().stream()
            .anyMatch(each -> each.getName().startsWith("weir-access")));
  }

  @Test
  void aKeyThatStandsWhereItsDigestBelongsIsNotTold() {
    InvalidSettingException mistake =
        assertThrows(
            InvalidSettingException.class, () -> set("weir.access.deny", "1.2.3.4, key:hunter2"));
    String message = String.valueOf(mistake.getMessage());
    assertTrue(message.contains("must be the digest of a key"), message);
    assertFalse(message.contains("hunter2"), message);
  }

  @Test
  void aMissingFileIsNoErrorAndIsReadOnceItIsThere(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("list.txt");
    try (LogLines log = new LogLines()) {
      set("weir.access.file", file.toString());
      lists.look();
      assertEquals(1, log.warnings().size(), log.warnings()::toString);
    }
    assertTrue(lists.areInUse());
    lists.start();
    Files.writeString(file, "192.0.2.1\n");
    long begin = System.nanoTime();
    while (!denies("192.0.2.1")) {
      assertTrue(System.nanoTime() - begin < LONGEST.toNanos(), "the file wasn't read");
      LockSupport.parkNanos(10_000_000);
    }
  }
}
