package io.weir.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries are read from lines and written as lines. */
class AccessEntryTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "203.0.113.0/24 | deny ip:203.0.113.0/24",
        "1.10.16.0/20 ; SBL256894 | deny ip:1.10.16.0/20",
        "deny\t203.0.113.7 # a scraper | deny ip:203.0.113.7",
        "allow user:alice counted shadow | allow user:alice counted shadow",
        "deny ::1 until=2027-01-01T00:00:00Z reason=a # b |"
            + " deny ip:::1 until=2027-01-01T00:00:00Z reason=a # b",
        "allow \"user:Alice \"\"Al\"\" Smith\" | allow \"user:Alice \"\"Al\"\" Smith\""
      })
  void aLineIsReadAndWritten(String line, String canonical) {
    AccessEntry entry = AccessEntry.parse(line);
    assertEquals(canonical, entry.toString());
    assertEquals(entry, AccessEntry.parse(entry.toString()));
    assertEquals(entry.hashCode(), AccessEntry.parse(canonical).hashCode());
  }

  @Test
  void anEntryHasWhatItIsGiven() {
    Instant end = Instant.parse("2027-01-01T00:00:00Z");
    AccessEntry entry =
        AccessEntry.allow(AccessSubject.user("alice")).withReason(" own ").until(end).counted();
    assertEquals(AccessAction.ALLOW, entry.action());
    assertEquals("own", entry.reason());
    assertEquals(Optional.of(end), entry.end());
    assertTrue(entry.isCounted());
    assertFalse(entry.isShadow());
    assertTrue(entry.inShadow().isShadow());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permit 203.0.113.7",
        "deny",
        "203.0.113.7 203.0.113.8",
        "deny 203.0.113.7 counted",
        "deny 203.0.113.7 until=tomorrow",
        "deny \"user:alice",
        "ban 203.0.113.7 until=2027-01-01T00:00:00Z",
        "deny policy:login:ip:203.0.113.7",
        "allow policy:login:ip:203.0.113.7"
      })
  void anythingElseIsRefusedWithTheRule(String line) {
    String rule =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> AccessEntry.parse(line))
                .getMessage());
    assertTrue(rule.contains("must "), rule);
  }

  @Test
  void aBanHasAnEndAndIsOfACallerThatWeirIdentifies() {
    Instant end = Instant.parse("2027-01-01T00:00:00Z");
    AccessEntry ban = AccessEntry.ban(AccessSubject.parse("policy:login:ip:203.0.113.7"), end);
    assertEquals(AccessAction.BAN, ban.action());
    assertEquals(Optional.of(end), ban.end());
    assertEquals("ban policy:login:ip:203.0.113.7 until=2027-01-01T00:00:00Z", ban.toString());
    assertThrows(IllegalArgumentException.class, ban::counted);
    assertTrue(ban.inShadow().isShadow());
    AccessEntry.ban(AccessSubject.parse("2001:db8::/64"), end);
    AccessEntry.ban(AccessSubject.user("alice"), end);
    for (AccessSubject other :
        new AccessSubject[] {AccessSubject.keyOf("a"), AccessSubject.resolved("tenant", "a")}) {
      assertThrows(IllegalArgumentException.class, () -> AccessEntry.ban(other, end));
    }
  }

  @Test
  void reasonsAreBounded() {
    AccessEntry entry = AccessEntry.deny(AccessSubject.user("alice"));
    assertThrows(IllegalArgumentException.class, () -> entry.withReason("a".repeat(501)));
    assertThrows(IllegalArgumentException.class, () -> entry.withReason("a\nb"));
  }
}
