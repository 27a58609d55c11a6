package io.weir.internal.rules.quotas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.UserQuota;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class QuotaStateTest {
  private static final QuotaTerms RULE = new QuotaTerms(1_000, 300);
  private static final BillingPeriod JANUARY = month(1);
  private static final BillingPeriod FEBRUARY = month(2);
  private static final BillingPeriod MARCH = month(3);
  private static final long MARCH_TENTH = micros("2027-03-10T00:00:00Z");

  private static long micros(String instant) {
    return BillingPeriod.micros(Instant.parse(instant));
  }

  private static BillingPeriod month(int month) {
    return BillingPeriod.at(micros("2027-0" + month + "-10T00:00:00Z"), 1, ZoneOffset.UTC);
  }

  private static LedgerRow closed(BillingPeriod period, long used) {
    return new LedgerRow(period, OptionalLong.of(0), used, true);
  }

  private static QuotaAccount account(long readAt, LedgerRow... rows) {
    return new QuotaAccount("bob", Optional.empty(), List.of(), List.of(rows), readAt);
  }

  private static QuotaState state(QuotaAccount account) {
    return QuotaState.of(account, RULE, MARCH_TENTH);
  }

  private static QuotaGrant grant(long id, long remaining, String made, String until) {
    return new QuotaGrant(
        id,
        "bob",
        500,
        remaining,
        "",
        "",
        until.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(until)),
        Optional.of(Instant.parse(made)),
        1);
  }

  @Test
  void whatTheLastPeriodLeftRollsOverUpToTheMost() {
    assertEquals(300, state(account(MARCH_TENTH, closed(FEBRUARY, 100))).rollover());
    assertEquals(200, state(account(MARCH_TENTH, closed(FEBRUARY, 800))).rollover());
    assertEquals(0, state(account(MARCH_TENTH, closed(FEBRUARY, 1_400))).rollover());
  }

  @Test
  void aPeriodWithoutRequestsWasUnusedAndNeedsNoRow() {
    assertEquals(300, state(account(MARCH_TENTH, closed(JANUARY, 1_000))).rollover());
  }

  @Test
  void whoHasNoEarlierPeriodGetsTheRolloverAmount() {
    assertEquals(0, state(account(MARCH_TENTH)).rollover());
    QuotaAccount account =
        new QuotaAccount(
            "bob",
            Optional.of(UserQuota.of("bob").withRolloverAmount(70)),
            List.of(),
            List.of(),
            MARCH_TENTH);
    assertEquals(70, state(account).rollover());
    assertEquals(1_070, state(account).total());
  }

  @Test
  void untilTheCloseANewPeriodHasItsLimitAlone() {
    LedgerRow open = new LedgerRow(FEBRUARY, OptionalLong.of(0), 100, false);
    QuotaAccount account =
        new QuotaAccount(
            "bob",
            Optional.empty(),
            List.of(grant(1, 500, "2027-02-01T00:00:00Z", "")),
            List.of(open),
            MARCH_TENTH);
    QuotaState state = QuotaState.of(account, RULE, MARCH_TENTH);
    assertEquals(1_000, state.total());
    assertTrue(state.mustClose());
  }

  @Test
  void nobodyClosesAPeriodInTheTenSecondsAfterItsEnd() {
    LedgerRow open = new LedgerRow(FEBRUARY, OptionalLong.of(0), 100, false);
    long early = MARCH.begin() + 9_999_999;
    QuotaState state = QuotaState.of(account(early, open), RULE, early);
    assertFalse(state.mustClose());
    assertEquals(1_000, state.total());
    assertTrue(QuotaState.of(account(early + 1, open), RULE, early + 1).mustClose());
  }

  @Test
  void anAccountThatWasReadInTheLastPeriodIsReadAgain() {
    QuotaAccount old = account(FEBRUARY.end() - 1);
    assertTrue(old.isReadFor(FEBRUARY.end() - 1));
    assertFalse(old.isReadFor(MARCH_TENTH));
    assertEquals(1_000, QuotaState.of(old, RULE, MARCH_TENTH).total());
    assertTrue(account(MARCH_TENTH).isReadFor(MARCH_TENTH));
  }

  @Test
  void whatRolledOverIsWrittenDownAndDoesNotChangeAnyMore() {
    LedgerRow running = new LedgerRow(MARCH, OptionalLong.of(42), 7, false);
    QuotaState state = state(account(0, running, closed(FEBRUARY, 0)));
    assertEquals(42, state.rollover());
    assertEquals(7, state.written());
    assertFalse(state.mustClose());
  }

  @Test
  void aChangedLimitHoldsAtOnce() {
    LedgerRow running = new LedgerRow(MARCH, OptionalLong.of(42), 7, false);
    QuotaAccount account =
        new QuotaAccount(
            "bob",
            Optional.of(UserQuota.of("bob").withMonthlyLimit(10)),
            List.of(),
            List.of(running),
            MARCH_TENTH);
    assertEquals(52, state(account).total());
    assertEquals(45, state(account).quota("bob", 7).available());
    assertEquals(0, state(account).quota("bob", 100).available());
  }

  @Test
  void aSumOfMoreThanABillionIsCutToThat() {
    QuotaAccount account =
        new QuotaAccount(
            "bob",
            Optional.of(UserQuota.of("bob").withMonthlyLimit(1_000_000_000)),
            List.of(grant(1, 500, "2027-02-01T00:00:00Z", "")),
            List.of(),
            MARCH_TENTH);
    assertEquals(1_000_000_000, state(account).total());
  }

  @Test
  void aGrantHoldsToTheEndOfThePeriodInWhichItEnds() {
    assertTrue(
        PeriodGrants.has(FEBRUARY, grant(1, 9, "2027-01-05T00:00:00Z", "2027-02-01T00:00:01Z")));
    assertFalse(
        PeriodGrants.has(MARCH, grant(1, 9, "2027-01-05T00:00:00Z", "2027-02-01T00:00:01Z")));
    assertFalse(
        PeriodGrants.has(MARCH, grant(1, 9, "2027-01-05T00:00:00Z", "2027-03-01T00:00:00Z")));
    assertTrue(PeriodGrants.has(MARCH, grant(1, 9, "2027-03-31T23:59:59Z", "")));
    assertFalse(PeriodGrants.has(MARCH, grant(1, 9, "2027-04-01T00:00:00Z", "")));
  }

  @Test
  void whatEndsFirstIsUsedFirstLimitThenRolloverThenGrantsByTheirEnd() {
    List<QuotaGrant> grants =
        List.of(
            grant(1, 100, "2027-01-05T00:00:00Z", ""),
            grant(2, 100, "2027-01-05T00:00:00Z", "2027-12-01T00:00:00Z"),
            grant(3, 100, "2027-01-05T00:00:00Z", "2027-06-01T00:00:00Z"),
            grant(4, 100, "2027-04-05T00:00:00Z", "2027-05-01T00:00:00Z"));
    LedgerRow row = new LedgerRow(MARCH, OptionalLong.of(50), 100, false);
    ClosedPeriod none = ClosedPeriod.of(row, 50, 1_050, 1_000, grants);
    assertEquals(Map.of(), none.left());
    assertEquals(300, none.granted());
    ClosedPeriod some = ClosedPeriod.of(row, 50, 1_200, 1_000, grants);
    assertEquals(Map.of(3L, 0L, 2L, 50L), some.left());
    ClosedPeriod more = ClosedPeriod.of(row, 50, 9_999, 1_000, grants);
    assertEquals(Map.of(3L, 0L, 2L, 0L, 1L, 0L), more.left());
  }

  @Test
  void usedIsTheLargerOfStoreAndLedger() {
    LedgerRow row = new LedgerRow(MARCH, OptionalLong.of(0), 100, false);
    assertEquals(100, ClosedPeriod.of(row, 0, 40, 1_000, List.of()).used());
    assertEquals(140, ClosedPeriod.of(row, 0, 140, 1_000, List.of()).used());
  }

  @Test
  void aPeriodThatHasBegunGoesOnAsItIs() {
    BillingPeriod odd =
        new BillingPeriod(micros("2027-02-15T00:00:00Z"), micros("2027-03-15T00:00:00Z"));
    QuotaAccount account = account(MARCH_TENTH, new LedgerRow(odd, OptionalLong.empty(), 1, false));
    assertEquals(odd, account.period(MARCH_TENTH));
    assertEquals(
        new BillingPeriod(odd.end(), micros("2027-04-01T00:00:00Z")),
        account.period(micros("2027-03-20T00:00:00Z")));
  }

  @Test
  void anAccountIsValidInThePeriodThatItWasReadInWhileTheStoreHasItsData() {
    long read = BillingPeriod.micros(Instant.parse("2026-05-15T00:00:00Z"));
    QuotaAccount account = new QuotaAccount("ann", Optional.empty(), List.of(), List.of(), read, 2);
    assertTrue(account.isValid(read, 2));
    assertFalse(account.isValid(read, 3), "the store had counted more than was known");
    long nextMonth = BillingPeriod.micros(Instant.parse("2026-06-01T00:00:00Z"));
    assertTrue(account.isValid(nextMonth - 1, 2));
    assertFalse(account.isValid(nextMonth, 2));
  }
}
