package io.weir.internal.rules.assembly;

import static io.weir.internal.rules.assembly.RulesContract.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.TestSql;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.quota.Quota;
import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.QuotaPeriod;
import io.weir.rules.quota.Quotas;
import io.weir.rules.quota.UserQuota;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.testkit.FakeTicker;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of quotas on any database, with two nodes and one store. */
abstract class QuotaContract {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** Far away: the database says when a grant was made, and its clock is the real one. */
  final FakeTicker ticker = new FakeTicker(berlin("2101-01-20T10:00"));

  final SharedStore store = new SharedStore(ticker);
  DataSource database;
  QuotaNode first;
  QuotaNode second;

  abstract DataSource fresh();

  @BeforeEach
  void start() {
    database = fresh();
    first = new QuotaNode(database, ticker, store);
    second = new QuotaNode(database, ticker, store);
    Rule rule =
        Rule.builder("free", "/api/*")
            .limit(1_000)
            .window(RuleWindow.ofQuota())
            .maxRollover(300)
            .build();
    first.rules.rules().save(rule, "test");
    refresh();
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
  }

  static Instant berlin(String time) {
    return LocalDateTime.parse(time).atZone(BERLIN).toInstant();
  }

  Instant now() {
    return Instant.ofEpochMilli(ticker.epochMicros() / 1_000);
  }

  void until(String time) {
    ticker.advance(Duration.between(now(), berlin(time)));
  }

  void refresh() {
    first.rules.refresh();
    second.rules.refresh();
  }

  /** Both nodes write, and read what the other has written. */
  void flush() {
    first.flush();
    second.flush();
    first.flush();
  }

  Quotas quotas() {
    return first.rules.quotas();
  }

  Quota quota(String user) {
    return quotas().find(user).orElseThrow();
  }

  void sql(String... statements) {
    TestSql.run(database, statements);
  }

  /** Both nodes send at once; how many were admitted. */
  int both(String user, int requests) {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Integer> other = threads.submit(() -> second.admitted(user, requests / 2));
      int admitted = first.admitted(user, requests - requests / 2);
      return admitted + other.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** The permits of the next period before and after the last one is closed, by requests alone. */
  void nextPeriodHas(String user, long before, long after) {
    assertEquals(before, first.send(QuotaNode.of(user)).decision().limit(), "before the close");
    for (QuotaNode node : List.of(second, first)) {
      await(
          "a limit of " + after + " at " + now(),
          () -> node.send(QuotaNode.of(user)).decision().limit() == after);
    }
  }

  private void bills(int day) {
    UserQuota now = quotas().settings("ann").orElse(UserQuota.of("ann"));
    quotas().save(now.billedOn(day, BERLIN), "test");
    refresh();
  }

  private long remaining(QuotaGrant grant) {
    return quotas().grants("ann").stream()
        .filter(each -> each.id() == grant.id())
        .findFirst()
        .orElseThrow()
        .remaining();
  }

  /** Sends until so many are used in this period; those are few that asked for the close. */
  private void useUpTo(long used) {
    int left = (int) (used - quota("ann").used());
    assertEquals(left, both("ann", left));
    assertEquals(used, quota("ann").used());
  }

  @Test
  void aYearOverItsMonthsByTwoNodesAtOnceAsWorkedOutByHand() {
    bills(15);
    // 15 January: 800 of 1,000
    assertEquals(new Quota("ann", 1_000, 0, 1_000, 0, 0, berlin("2101-02-15T00:00")), quota("ann"));
    useUpTo(800);
    assertEquals(200, quota("ann").available());
    flush();

    // 15 February: 200 more, and a grant of 500 on the 20th; 1,400 used
    until("2101-02-15T00:00:10");
    nextPeriodHas("ann", 1_000, 1_200);
    until("2101-02-20T12:00");
    QuotaGrant grant =
        quotas()
            .grant(
                QuotaGrant.of("ann", 500, "a present").until(berlin("2101-12-24T00:00")), "test");
    refresh();
    useUpTo(1_400);
    assertEquals(
        new Quota("ann", 1_000, 1_400, 300, 200, 500, berlin("2101-03-15T00:00")), quota("ann"));
    flush();

    // 15 March: 1,000 until the close, then 1,300; the store empties on 1 April
    until("2101-03-15T00:00:09");
    assertEquals(1_000, first.send(QuotaNode.of("ann")).decision().limit());
    until("2101-03-15T00:00:10");
    nextPeriodHas("ann", 1_000, 1_300);
    assertEquals(300, remaining(grant));
    useUpTo(98);
    flush();
    second.flush();
    assertEquals(2, first.admitted("ann", 2));
    until("2101-04-01T12:00");
    store.loseData();
    long left = second.send(QuotaNode.of("ann")).decision().limit() - quota("ann").used() + 1;
    assertTrue(left >= 1_200 && left <= 1_202, () -> left + " left");
    flush();
    assertTrue(quota("ann").used() >= 99 && quota("ann").used() <= 101);

    // 15 April: 300 rolled over, 300 of the grant; 1,250 used; from the next period on the 31st
    until("2101-04-15T00:00:10");
    nextPeriodHas("ann", 1_000, 1_600);
    useUpTo(1_250);
    assertEquals(350, quota("ann").available());
    flush();
    until("2101-05-01T12:00");
    bills(31);
    assertEquals(berlin("2101-05-15T00:00"), quota("ann").resetsAt());

    // 15 May to 31 May: no rollover; 1,100 used, 100 of the grant
    until("2101-05-15T00:00:10");
    nextPeriodHas("ann", 1_000, 1_300);
    assertEquals(berlin("2101-05-31T00:00"), quota("ann").resetsAt());
    useUpTo(1_100);
    flush();

    // 31 May and 30 June: no requests at all. 31 July: the last period was unused
    until("2101-08-10T12:00");
    nextPeriodHas("ann", 1_000, 1_500);
    assertEquals(200, remaining(grant));
    assertEquals(berlin("2101-08-31T00:00"), quota("ann").resetsAt());
    useUpTo(1_500);
    assertEquals(0, both("ann", 20));
    flush();

    // 31 August: the grant is used up; 900 used
    until("2101-08-31T00:00:10");
    nextPeriodHas("ann", 1_000, 1_000);
    await("the grant is used up", () -> remaining(grant) == 0);
    useUpTo(900);
    flush();

    // 30 September, as there is no 31st: 100 rolled over, 2,000 from 10 October on; 1,900 used
    until("2101-09-30T00:00:10");
    nextPeriodHas("ann", 1_000, 1_100);
    assertEquals(berlin("2101-10-31T00:00"), quota("ann").resetsAt());
    until("2101-10-10T12:00");
    quotas().save(quotas().settings("ann").orElseThrow().withMonthlyLimit(2_000), "test");
    refresh();
    useUpTo(1_900);
    QuotaGrant small =
        quotas().grant(QuotaGrant.of("ann", 50, "sorry").until(berlin("2101-11-05T00:00")), "test");
    refresh();
    assertEquals(250, quota("ann").available());
    flush();

    // 31 October: 100 rolled over, the small grant holds to the end of this period; 2,120 used
    until("2101-10-31T00:00:10");
    nextPeriodHas("ann", 2_000, 2_150);
    useUpTo(2_120);
    flush();

    // 30 November: nothing rolls over, and the small grant has ended
    until("2101-11-30T00:00:10");
    nextPeriodHas("ann", 2_000, 2_000);
    await("the small grant is lowered", () -> remaining(small) == 30);
    UserQuota now = quotas().settings("ann").orElseThrow();
    assertEquals(0, now.rolloverAmount());
    quotas().save(now.billedOn(31, ZoneId.of("Asia/Tokyo")), "test");
    refresh();
    assertEquals(berlin("2101-12-31T00:00"), quota("ann").resetsAt());
    useUpTo(10);
    flush();

    // 31 December: begins as the last one ended, ends by the new zone
    until("2101-12-31T00:00:10");
    nextPeriodHas("ann", 2_000, 2_300);
    assertEquals(
        LocalDateTime.parse("2102-01-31T00:00").atZone(ZoneId.of("Asia/Tokyo")).toInstant(),
        quota("ann").resetsAt());

    List<Long> used = quotas().periods("ann", 100).stream().map(QuotaPeriod::used).toList();
    assertEquals(List.of(10L, 2_120L, 1_900L, 900L, 1_500L, 1_100L, 1_250L), used.subList(1, 8));
    assertEquals(List.of(1_400L, 800L), used.subList(9, 11));
  }

  @Test
  void aCallerWhoIsNotKnownHasTheRulesLimitAndNeitherLedgerNorRollover() {
    assertEquals(1_000, first.send(QuotaNode.keyed("invented")).decision().limit());
    String id = first.rules.userIdOfKey("invented");
    assertEquals(999, quotas().find(id).orElseThrow().available());
    for (int i = 0; i < 100; i++) {
      assertTrue(first.send(QuotaNode.keyed("key-" + i)).isAdmitted());
    }
    first.flush();
    assertEquals(List.of(), quotas().periods(id, 10));
    assertEquals(0, count("quota_periods"));
    until("2101-02-20T10:00");
    assertEquals(1_000, first.send(QuotaNode.keyed("invented")).decision().limit());
    first.flush();
    assertEquals(0, count("quota_periods"));
  }

  private int count(String table) {
    return Math.toIntExact(TestSql.number(database, "SELECT COUNT(*) FROM " + table));
  }

  @Test
  void aKeyWithARowOfItsOwnHasALedger() {
    String id = first.rules.userIdOfKey("known");
    quotas().save(UserQuota.of(id).withMonthlyLimit(5), "test");
    refresh();
    for (int i = 0; i < 5; i++) {
      assertTrue(first.send(QuotaNode.keyed("known")).isAdmitted());
    }
    assertFalse(first.send(QuotaNode.keyed("known")).isAdmitted());
    first.flush();
    assertEquals(5, quotas().periods(id, 10).get(0).used());
    assertEquals(0, quotas().find(id).orElseThrow().available());
  }

  @Test
  void whatIsCountedByHandIsInTheQuotaAndInTheLedger() {
    assertTrue(quotas().use("bob", 40).orElseThrow().admitted());
    assertFalse(quotas().use("bob", 961).orElseThrow().admitted());
    assertTrue(second.rules.quotas().use("bob", 960).orElseThrow().admitted());
    assertEquals(0, quota("bob").available());
    assertFalse(first.send(QuotaNode.of("bob")).isAdmitted());
    flush();
    assertEquals(1_000, quotas().periods("bob", 1).get(0).used());
  }

  @Test
  void theLedgerBringsAStoreThatLostItsDataRightWithTheFirstClaim() {
    quotas().use("bob", 700);
    flush();
    second.flush();
    second.send(QuotaNode.of("bob"));
    store.loseData();
    long left = second.send(QuotaNode.of("bob")).decision().remaining();
    assertTrue(left >= 298 && left <= 300, () -> left + " are left");
    assertTrue(quotas().use("bob", 298).orElseThrow().admitted());
    assertFalse(quotas().use("bob", 2).orElseThrow().admitted());
  }

  @Test
  void aRequestIsRefusedWhileTheCallersQuotaIsNotKnown() throws SQLException {
    sql("ALTER TABLE weir.quota_grants RENAME TO away");
    QuotaNode.Sent sent = first.send(QuotaNode.of("new"));
    assertEquals(503, sent.refusal().orElseThrow().status());
    sql("ALTER TABLE weir.away RENAME TO quota_grants");
    await("it is known again", () -> first.send(QuotaNode.of("new")).isAdmitted());
  }

  @Test
  void aRequestIsRefusedWhileTheStoreIsAway() {
    assertTrue(first.send(QuotaNode.of("bob")).isAdmitted());
    store.away(true);
    assertEquals(503, first.send(QuotaNode.of("bob")).refusal().orElseThrow().status());
    store.away(false);
    await("the store is back", () -> first.send(QuotaNode.of("bob")).isAdmitted());
  }

  @Test
  void aLimitThatIsLoweredHoldsAtOnceAndSoDoesOneThatIsRaised() {
    quotas().use("bob", 500);
    UserQuota lowered = quotas().save(UserQuota.of("bob").withMonthlyLimit(400), "test");
    refresh();
    assertFalse(first.send(QuotaNode.of("bob")).isAdmitted());
    assertFalse(second.send(QuotaNode.of("bob")).isAdmitted());
    quotas().save(lowered.withMonthlyLimit(501), "test");
    refresh();
    assertTrue(second.send(QuotaNode.of("bob")).isAdmitted());
    assertFalse(first.send(QuotaNode.of("bob")).isAdmitted());
  }

  @Test
  void aBadRowCountsAsItsLastGoodVersion() {
    quotas().save(UserQuota.of("bob").withMonthlyLimit(7), "test");
    sql("UPDATE weir.user_quotas SET monthly_limit = 0 WHERE user_id = 'bob'");
    refresh();
    assertEquals(7, first.send(QuotaNode.of("bob")).decision().limit());
  }

  @Test
  void whatARowLeavesOutIsAsTheRuleSays() {
    sql("INSERT INTO weir.user_quotas (user_id) VALUES ('bob')");
    refresh();
    assertEquals(1_000, first.send(QuotaNode.of("bob")).decision().limit());
    assertEquals(Instant.parse("2101-02-01T00:00:00Z"), quota("bob").resetsAt());
  }

  @Test
  void whatARequestGotBackIsNotInTheLedger() {
    Rule rule = Rule.builder("free", "/api/*").limit(2).window(RuleWindow.ofSeconds(3_600)).build();
    first.rules.rules().save(rule, "test");
    refresh();
    assertEquals(2, first.admitted("bob", 5));
    first.flush();
    assertEquals(2, quotas().periods("bob", 1).get(0).used());
    assertEquals(2, quota("bob").used());
  }

  @Test
  void aNewPeriodAdmitsWhoWasLockedOutOnEveryNode() {
    quotas().use("bob", 1_000);
    assertFalse(first.send(QuotaNode.of("bob")).isAdmitted());
    assertFalse(second.send(QuotaNode.of("bob")).isAdmitted());
    until("2101-02-01T00:59:59");
    assertFalse(first.send(QuotaNode.of("bob")).isAdmitted());
    until("2101-02-01T01:00:00"); // midnight in UTC
    assertTrue(first.send(QuotaNode.of("bob")).isAdmitted());
    assertTrue(second.send(QuotaNode.of("bob")).isAdmitted());
  }

  @Test
  void whoIsUpgradedKeepsTheCountAndHasMoreThanBefore() {
    Rule premium =
        Rule.builder("premium", "/api/*").limit(5_000).window(RuleWindow.ofQuota()).build();
    first.rules.rules().save(premium, "test");
    quotas().use("bob", 900);
    first.rules.users().save(UserTier.of("bob", "premium"), "test");
    refresh();
    assertEquals(4_100, quota("bob").available());
    assertEquals(4_099, second.send(QuotaNode.of("bob")).decision().remaining());
  }

  @Test
  void whatRolledOverDoesNotRollOverAgain() {
    quotas().use("ann", 800);
    flush();
    until("2101-02-01T12:00");
    assertEquals(200, quota("ann").rollover());
    quotas().use("ann", 900); // 1,200 were there: 300 are left, of which 200 had rolled over
    flush();
    until("2101-03-01T12:00");
    assertEquals(100, quota("ann").rollover());
  }

  @Test
  void anEvaluatedCallerIsCountedAndNeverRefused() {
    quotas().use("bob", 1_000);
    first
        .rules
        .users()
        .save(
            new UserTier("bob", "free", List.of(), UserState.EVALUATION, Optional.empty(), 0),
            "test");
    refresh();
    assertTrue(first.send(QuotaNode.of("bob")).isAdmitted());
  }

  @Test
  void anApplicationReachesTheQuotasThatOnlyASettingSwitchedOn() {
    first.send(QuotaNode.of("bob"));
    Rules rules = Rules.of(first.weir).orElseThrow();
    assertEquals(
        "{\"userId\":\"bob\",\"limit\":1000,\"used\":1,\"available\":999,\"rollover\":0,"
            + "\"granted\":0,\"resetsAt\":\"2101-02-01T00:00:00Z\"}",
        rules.quotas().find("bob").orElseThrow().toJson());
  }

  @Test
  void anExplanationTellsWhatTheCallerHasInAll() {
    quotas().save(UserQuota.of("bob").withMonthlyLimit(70).withRolloverAmount(5), "test");
    refresh();
    Explanation explained =
        first.rules.explain(ExplainedRequest.of("GET", QuotaNode.ENDPOINT, "bob"));
    assertEquals(75, explained.parts().get(0).limit());
    assertEquals("QUOTA", explained.parts().get(0).window());
  }

  @Test
  void quotasAndGrantsAreSavedByVersionAndCheckedByField() {
    UserQuota saved = quotas().save(UserQuota.of("bob").withMonthlyLimit(70), "alice");
    UserQuota changed = quotas().save(saved.billedOn(31, BERLIN), "alice");
    assertEquals(Optional.of(changed), quotas().settings("bob"));
    assertThrows(ConflictException.class, () -> quotas().save(saved.withMonthlyLimit(80), "carol"));
    assertThrows(ConflictException.class, () -> quotas().save(UserQuota.of("bob"), "carol"));
    Map<String, UserQuota> wrong =
        Map.of(
            "monthly_limit", UserQuota.of("eve").withMonthlyLimit(0),
            "rollover_amount", UserQuota.of("eve").withRolloverAmount(-1),
            "max_rollover", UserQuota.of("eve").withMaxRollover(1_000_000_001),
            "billing_day", UserQuota.of("eve").billedOn(32, BERLIN));
    wrong.forEach(
        (field, quota) -> {
          InvalidRuleException refused =
              assertThrows(InvalidRuleException.class, () -> quotas().save(quota, "alice"));
          assertEquals(field, refused.problems().get(0).field());
          assertFalse(refused.getMessage().contains("eve"), refused.getMessage());
        });
    assertThrows(
        InvalidRuleException.class, () -> quotas().grant(QuotaGrant.of("bob", 0, ""), "alice"));
    assertThrows(
        InvalidRuleException.class,
        () -> quotas().grant(QuotaGrant.of("bob", 1, "").until(now()), "alice"));
    QuotaGrant grant = quotas().grant(QuotaGrant.of("bob", 9, "a present"), "alice");
    assertEquals("alice", grant.grantedBy());
    assertEquals(List.of(grant), quotas().grants("bob"));
    refresh();
    assertEquals(79, quota("bob").available());
    quotas().revoke(grant.id(), grant.version(), "alice");
    refresh();
    assertEquals(70, quota("bob").available());
    quotas().delete("bob", changed.version(), "alice");
    refresh();
    assertEquals(1_000, quota("bob").available());
    assertEquals(
        List.of("alice"),
        first.rules.history().of("user_quotas", "bob").stream()
            .map(RuleChange::by)
            .distinct()
            .toList());
  }

  @Test
  void twoNodesThatCloseAtOnceCloseOnce() throws Exception {
    QuotaGrant grant = quotas().grant(QuotaGrant.of("ann", 500, "a present"), "test");
    refresh();
    for (int month = 2; month <= 6; month++) {
      quotas().use("ann", 1_100);
      flush();
      until("2101-0" + month + "-01T12:00");
      ExecutorService threads = Executors.newFixedThreadPool(2);
      try {
        Future<Quota> other = threads.submit(() -> second.rules.quotas().find("ann").orElseThrow());
        Quota mine = quota("ann");
        assertEquals(mine, other.get());
      } finally {
        threads.shutdownNow();
      }
      assertEquals(500 - 100L * (month - 1), remaining(grant));
    }
  }

  @Test
  void usageThatComesAfterTheCloseIsAddedToTheRowAndChangesNothingElse() {
    quotas().use("ann", 800);
    first.flush();
    quotas().use("ann", 100); // the store knows of it, the ledger doesn't yet
    until("2101-02-01T12:00");
    assertEquals(100, quota("ann").rollover());
    first.flush();
    List<QuotaPeriod> periods = quotas().periods("ann", 10);
    assertEquals(1_000, periods.get(periods.size() - 1).used());
    assertEquals(100, quota("ann").rollover());
  }
}
