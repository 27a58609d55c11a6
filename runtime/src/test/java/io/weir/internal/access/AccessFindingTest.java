package io.weir.internal.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.key.KeyReader;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.spi.KeyResolver;
import io.weir.test.log.LogLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A request is looked up before its sign-in and after it, and nothing is looked up twice. */
class AccessFindingTest {
  private static final String KEY = "key:" + AccessSubject.keyOf("secret").value();
  private static final Callers.From CALLER = new Callers.From("192.0.2.1", "secret", "alice");

  /** The resolver's values that were read, in turn. */
  private final List<String> read = new ArrayList<>();

  private final Map<String, KeyResolver> resolvers =
      new TreeMap<>(
          Map.of(
              "tenant",
              request -> {
                read.add("tenant");
                return Optional.of("acme");
              },
              "team",
              request -> {
                read.add("team");
                return request.user().map(name -> "team of " + name);
              }));

  private final AccessLists lists =
      new AccessLists(text -> KeyReader.expression(text, resolvers), resolvers, Callers.CLOCK);

  private final ClientAddress addresses = new ClientAddress(SettingsSnapshot.of(Map.of()));

  @BeforeEach
  void readKeys() {
    set("weir.access.key", "header:Key");
  }

  private void set(String name, String value) {
    lists.prepare(SettingsSnapshot.of(Map.of(name, value)), addresses).run();
  }

  private void entries(String... lines) {
    lists.setSourceEntries(List.of(lines).stream().map(AccessEntry::parse).toList());
  }

  private AccessFinding before() {
    return lists.find(CALLER, addresses, false, AccessFinding.UNREAD);
  }

  private AccessFinding after(AccessFinding before) {
    return lists.find(CALLER, addresses, true, before);
  }

  private static String decides(AccessFinding found) {
    return found.entry().map(each -> each.action() + " " + each.subject()).orElse("none");
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, true", "192.0.2.2, false",
    "resolver:tenant:acme, true", "resolver:tenant:other, false",
    "resolver:team:team of alice, false", "user:alice, false"
  })
  void whatNeedsNoUserIsFoundBeforeTheSignIn(String subject, boolean isFound) {
    entries("deny \"" + subject + "\"");
    assertEquals(isFound, before().denies());
    assertEquals(isFound, before().overrides());
    assertFalse(before().allows());
  }

  @ParameterizedTest
  @CsvSource({"resolver:team:team of alice, true", "user:alice, true", "user:bob, false"})
  void whatNeedsAUserIsFoundAfterIt(String subject, boolean isFound) {
    entries("deny \"" + subject + "\"");
    assertEquals(isFound, after(before()).denies());
    assertFalse(
        lists.find(new Callers.From("192.0.2.1"), addresses, true, AccessFinding.UNREAD).denies());
  }

  @Test
  void aKeyIsFoundByItsDigest() {
    entries("deny " + KEY);
    assertTrue(before().denies());
    assertFalse(
        lists
            .find(
                new Callers.From("192.0.2.1", "other", ""), addresses, false, AccessFinding.UNREAD)
            .denies());
    assertEquals("header:Key", lists.keyExpression());
    set("weir.access.deny", "");
    assertEquals("", lists.keyExpression());
  }

  @Test
  void eachValueIsReadOnceUnlessItDependsOnTheUser() {
    entries("deny resolver:tenant:other", "deny user:bob");
    AccessFinding first = before();
    assertEquals(List.of("tenant"), read);
    assertEquals("none", decides(after(first)));
    assertEquals(List.of("tenant"), read);
    entries("deny \"resolver:team:team of bob\"");
    read.clear();
    AccessFinding second = before();
    assertEquals("none", decides(after(second)));
    assertEquals(List.of("team", "team"), read);
    entries("deny 192.0.2.2");
    AccessFinding third = before();
    assertSame(third, after(third), "nothing is left to look up");
    after(third.elsewhere());
    assertEquals(List.of("team", "team"), read);
    entries("deny resolver:tenant:other", "deny user:bob");
    read.clear();
    after(before().elsewhere());
    assertEquals(List.of("tenant", "tenant"), read, "at another endpoint it may be another");
  }

  @Test
  void ofADeniedCallerNothingMoreIsRead() {
    entries("deny 192.0.2.1", "allow resolver:tenant:acme", "allow user:alice");
    AccessFinding found = after(before());
    assertEquals("DENY ip:192.0.2.1", decides(found));
    assertEquals(List.of(), read);
  }

  @Test
  void aDenialOverrulesWhatAllows() {
    entries("allow 192.0.2.1", "deny user:alice");
    AccessFinding first = before();
    assertEquals("ALLOW ip:192.0.2.1", decides(first));
    assertTrue(first.allows() && first.overrides() && !first.isMeasuredOnly());
    assertEquals("DENY user:alice", decides(after(first)));
    entries("allow 192.0.2.1", "allow " + KEY, "allow user:alice");
    assertEquals("ALLOW ip:192.0.2.1", decides(after(before())));
    entries("allow 192.0.2.1 counted");
    AccessFinding counted = before();
    assertTrue(counted.allows() && counted.isMeasuredOnly() && !counted.overrides());
  }

  @Test
  void anEntryInShadowModeIsToldAndHasNoEffect() {
    entries("deny 192.0.2.0/24 shadow", "deny 192.0.2.1 shadow");
    AccessFinding found = before();
    assertEquals("ip:192.0.2.1", String.valueOf(found.shadow().orElseThrow().subject()));
    assertTrue(found.wouldDeny());
    assertFalse(found.denies() || found.overrides() || found.wouldAllow());
    entries("deny 192.0.2.1 shadow", "deny user:alice");
    assertFalse(after(before()).wouldDeny(), "it is denied anyway");
    entries("allow 192.0.2.1 shadow");
    assertTrue(before().wouldAllow());
    entries("allow 192.0.2.1 shadow", "allow user:alice");
    assertFalse(after(before()).wouldAllow(), "it is allowed anyway");
    entries("allow 192.0.2.1 shadow", "deny user:alice shadow");
    assertTrue(after(before()).wouldDeny());
    assertFalse(after(before()).wouldAllow());
    entries("allow user:bob", "deny 192.0.2.1 shadow", "allow 192.0.2.0/24");
    assertEquals("ALLOW ip:192.0.2.0/24", decides(before()));
  }

  @Test
  void eachSubjectHasItsOwnEntryInShadowMode() {
    entries(
        "allow 192.0.2.1 shadow",
        "deny resolver:tenant:acme shadow",
        "allow user:alice shadow",
        "allow " + KEY + " shadow");
    assertTrue(after(before()).wouldDeny());
    entries("allow 192.0.2.1 shadow", "deny user:alice shadow");
    assertTrue(after(before()).wouldDeny());
  }

  @Test
  void theFirstDenialIsLoggedAndTheFirstThatWouldBeLetThrough() {
    try (LogLines log = new LogLines()) {
      entries("allow 192.0.2.1 shadow");
      AccessFinding shadow = before();
      lists.log(shadow, shadow);
      assertEquals(List.of(), log.lines());
      lists.log(AccessFinding.UNREAD, shadow);
      assertTrue(log.lines().toString().contains("would have let"), log.lines()::toString);
      entries("deny 192.0.2.1");
      AccessFinding denied = before();
      lists.log(AccessFinding.UNREAD, denied);
      assertTrue(log.lines().toString().contains("denied"), log.lines()::toString);
    }
  }

  @Test
  void theFirstListThatIsSetLateIsLogged() {
    AccessLists late =
        new AccessLists(text -> request -> Optional.empty(), Map.of(), Callers.CLOCK);
    assertTrue(late.areEmpty() && !late.areInUse());
    try (LogLines log = new LogLines()) {
      late.prepare(SettingsSnapshot.of(Map.of()), addresses).run();
      assertEquals(List.of(), log.warnings());
      for (String deny : List.of("192.0.2.1", "192.0.2.2")) {
        late.prepare(SettingsSnapshot.of(Map.of("weir.access.deny", deny)), addresses).run();
      }
      assertEquals(1, log.warnings().size(), log.warnings()::toString);
      assertTrue(log.warnings().toString().contains("after a restart"), log.warnings()::toString);
      assertFalse(late.areEmpty());
      readKeys();
    }
    try (LogLines log = new LogLines()) {
      new AccessLists(text -> request -> Optional.empty(), Map.of(), Callers.CLOCK)
          .prepare(SettingsSnapshot.of(Map.of("weir.access.deny", "192.0.2.1")), addresses)
          .run();
      assertEquals(List.of(), log.warnings(), "it is there from the start");
    }
  }

  @Test
  void tellsTheRuleThatASubjectBreaks() {
    assertEquals(Optional.empty(), lists.mistake(AccessSubject.user("alice")));
    assertTrue(lists.mistake(AccessSubject.resolved("unknown", "x")).isPresent());
  }
}
