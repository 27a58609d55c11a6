package io.weir.internal.rules.rulebook.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.access.AccessEntry;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.OperationCost;
import io.weir.rules.PolicySwitch;
import io.weir.rules.SwitchState;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowColumnsTest {
  @Test
  void anOwnLimitIsANumberOrALimitWithItsWindow() {
    UserColumns.Read read =
        user("{\"api.posts-60s\": 5000, \"/api/*\": {\"limit\": 7, \"window\": 60}}");
    assertEquals(List.of(), read.problems());
    assertEquals(
        List.of(
            new OwnLimit("api.posts-60s", 5_000, Optional.empty()),
            new OwnLimit("/api/*", 7, Optional.of(Duration.ofMinutes(1)))),
        read.user().ownLimits());
  }

  @Test
  void aMalformedOwnLimitIsToldAndTheOthersHold() {
    UserColumns.Read read =
        user(
            "{\"a\": 0, \"b\": \"7\", \"c\": {\"limits\": 7}, \"d\": 1.5, \"good\": 7,"
                + " \"e\": {\"limit\": 7, \"window\": 0}, \"f\": null, \"g\": 10000000000}");
    assertEquals(List.of(new OwnLimit("good", 7, Optional.empty())), read.user().ownLimits());
    assertEquals(7, read.problems().size());
    assertTrue(read.problems().get(0).message().startsWith("'a' must be a whole number"));
  }

  @Test
  void whatIsNoJsonObjectIsToldAndTheTierHolds() {
    for (String text : List.of("{", "[]", "7", "{\"a\": 1, \"a\": 2}", "{} {}", "\"{}\"")) {
      UserColumns.Read read = user(text);
      assertEquals(List.of(), read.user().ownLimits(), text);
      assertEquals("premium", read.user().tier());
      assertEquals(1, read.problems().size(), text);
    }
    assertEquals(List.of(), user("null").problems());
  }

  @Test
  void aUserIsToldByDigestOnly() {
    String told = user("{").problems().get(0).toString();
    assertFalse(told.contains("alice"), told);
    assertTrue(told.startsWith("user_tiers user sha256:2bd806c97f0e, custom_limits"), told);
  }

  @Test
  void aUserIsReadAsWritten() {
    UserTier user =
        new UserTier(
            "alice",
            "premium",
            List.of(
                new OwnLimit("a", 1, Optional.empty()),
                new OwnLimit("/b", 2, Optional.of(Duration.ofHours(1)))),
            UserState.EVALUATION,
            Optional.of(Instant.parse("2026-12-31T00:00:00Z")),
            0);
    StoredRow row = new StoredRow(RuleTable.USERS, "alice", UserColumns.write(user));
    assertEquals(user, UserColumns.read(row).user());
    UserTier plain = UserTier.of("alice", "free");
    assertEquals(Map.of("user_id", "alice", "tier", "free"), UserColumns.write(plain));
  }

  @Test
  void twoOwnLimitsOfOneNameCanNotBeWritten() {
    OwnLimit limit = new OwnLimit("a", 1, Optional.empty());
    UserTier user =
        new UserTier(
            "alice", "free", List.of(limit, limit), UserState.ENFORCED, Optional.empty(), 0);
    assertThrows(InvalidRuleException.class, () -> UserColumns.write(user));
  }

  @Test
  void aUserWithoutATierIsABadRow() {
    StoredRow row = new StoredRow(RuleTable.USERS, "alice", Map.of("state", "GONE"));
    InvalidRuleException told =
        assertThrows(InvalidRuleException.class, () -> UserColumns.read(row));
    assertEquals(2, told.problems().size());
    assertFalse(String.valueOf(told.getMessage()).contains("alice"));
  }

  @Test
  void aCostIsReadAsWritten() {
    OperationCost cost = new OperationCost(3, "/api/posts/{id}", "POST", 5, 0);
    assertEquals(cost, CostColumns.read(cost("3", CostColumns.write(cost))));
    assertEquals(
        "*",
        CostColumns.read(cost("4", Map.of("endpoint", "*", "method", "*", "cost", "2"))).method());
  }

  @Test
  void aCostThatCanNotBeUsedIsToldWhole() {
    InvalidRuleException told =
        assertThrows(
            InvalidRuleException.class,
            () ->
                CostColumns.read(
                    cost("3", Map.of("endpoint", "posts", "method", "A B", "cost", "5"))));
    assertEquals(
        List.of("endpoint", "method"), told.problems().stream().map(each -> each.field()).toList());
    InvalidRuleException missing =
        assertThrows(InvalidRuleException.class, () -> CostColumns.read(cost("3", Map.of())));
    assertEquals(
        List.of("endpoint", "method", "cost"),
        missing.problems().stream().map(each -> each.field()).toList());
  }

  @Test
  void aSwitchIsReadAsWritten() {
    PolicySwitch off = new PolicySwitch("*", SwitchState.OFF, Instant.EPOCH, "an outage", "alice");
    StoredRow row = new StoredRow(RuleTable.SWITCHES, "*", SwitchColumns.write(off));
    assertEquals(off, SwitchColumns.read(row));
  }

  @Test
  void aSwitchWithoutAnEndIsABadRow() {
    StoredRow row = new StoredRow(RuleTable.SWITCHES, "*", Map.of("state", "ON"));
    InvalidRuleException told =
        assertThrows(InvalidRuleException.class, () -> SwitchColumns.read(row));
    assertEquals(
        List.of("until", "state"), told.problems().stream().map(each -> each.field()).toList());
  }

  @Test
  void anEntryIsReadAsWritten() {
    for (String line :
        List.of(
            "deny ip:203.0.113.0/24 reason=a scraper",
            "allow user:ann counted shadow until=2027-01-01T00:00:00Z",
            "deny \"resolver:tenant:acme: north\"",
            "allow key:sha256:" + "0f".repeat(32))) {
      AccessEntry entry = AccessEntry.parse(line);
      assertEquals(entry, entry(AccessColumns.write(entry)), line);
    }
    AccessEntry bare = entry(Map.of("action", "deny", "subject", "::ffff:203.0.113.7"));
    assertEquals("deny ip:203.0.113.7", bare.toString());
    assertEquals(Map.of("action", "DENY", "subject", "ip:203.0.113.7"), AccessColumns.write(bare));
  }

  @Test
  void anEntryThatCanNotBeUsedIsToldWhole() {
    InvalidRuleException told =
        assertThrows(
            InvalidRuleException.class,
            () ->
                entry(
                    Map.of(
                        "action", "DENY",
                        "subject", "0.0.0.0/0",
                        "counted", "true",
                        "state", "DRAFT",
                        "reason", "x".repeat(501))));
    assertEquals(
        List.of("subject", "reason", "counted", "state"),
        told.problems().stream().map(each -> each.field()).toList());
    InvalidRuleException missing =
        assertThrows(InvalidRuleException.class, () -> entry(Map.of("action", "BAN")));
    assertEquals(
        List.of("subject", "action"),
        missing.problems().stream().map(each -> each.field()).toList());
  }

  private static AccessEntry entry(Map<String, String> columns) {
    StoredRow row = new StoredRow(RuleTable.ENTRIES, "7", columns);
    return AccessColumns.read(row, subject -> Optional.empty()).entry();
  }

  private static UserColumns.Read user(String limits) {
    return UserColumns.read(
        new StoredRow(
            RuleTable.USERS, "alice", Map.of("tier", "premium", "custom_limits", limits)));
  }

  private static StoredRow cost(String id, Map<String, String> columns) {
    return new StoredRow(RuleTable.COSTS, id, columns);
  }

  @Test
  void aMessageIsOneLineAndNotLongerThanPeopleRead() {
    String tier = "x".repeat(100_000);
    RowProblems problems = new RowProblems(RuleTable.USERS, tier);
    problems.warn("tier", "is\nunknown: " + tier);
    String told = problems.all().get(0).toString();
    assertTrue(told.length() < 2_000, () -> told.length() + " characters");
    assertFalse(told.contains("\n"));
    assertTrue(told.contains("is\ufffdunknown"), told);
  }

  @Test
  void aTierHasNoLineBreaks() {
    StoredRow row =
        new StoredRow(RuleTable.USERS, "alice", Map.of("user_id", "alice", "tier", "a\nb"));
    InvalidRuleException told =
        assertThrows(InvalidRuleException.class, () -> UserColumns.read(row));
    assertEquals(
        "must have no line break or other control character", told.problems().get(0).message());
  }
}
