package io.weir.internal.writeback.debt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.Membership;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Debts, and the charges reported after a data loss: never too few. */
class BucketLedgerTest {
  private static final long NOW = 100;
  private static final long WINDOW = 60_000_000;
  private static final long BURST = 100;

  private final OvershootShareHistory shares = new OvershootShareHistory();
  private final OvershootAllowance allowance = new OvershootAllowance(shares, 10);
  private final BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
  private final BucketLedger ledger = ledger(bucket);

  private BucketLedger ledger(BucketId of) {
    return new BucketLedger(of, allowance, null, new RecoverableCharges(of.spec().algorithm()));
  }

  private static BucketId bucket(Algorithm algorithm) {
    return new BucketId(
        BucketSpec.builder("p").algorithm(algorithm).window(Duration.ofMinutes(1)).build(),
        Key.of("k"));
  }

  private static BucketRequest request(BucketId of, long permits) {
    Policy policy =
        Policy.builder("p")
            .limit(BURST)
            .window(Duration.ofMinutes(1))
            .overshoot(10)
            .algorithm(of.spec().algorithm())
            .build();
    return new BucketRequest(new RequestTerms(policy, permits, BURST, BURST, BURST, 0), of, false);
  }

  @Test
  void whatMayBelongToTheNextWindowOfTheStoreIsOwedBeyondTheEndOfThisOne() {
    BucketLedger fixed = ledger(bucket(Algorithm.FIXED_WINDOW));
    long end = NOW + WINDOW / 2;
    fixed.expectWindowEnd(WINDOW / 2, NOW);
    fixed.owe(request(bucket, 3), NOW);
    fixed.owe(request(bucket, 2), end - 50_000); // by the clock of a node that may be behind
    assertEquals(5, fixed.debt());
    fixed.expire(end);
    assertEquals(2, fixed.debt());
  }

  @Test
  void anAnswerThatIsReadLateSaysNotWhichWindowIsRunning() {
    BucketLedger fixed = ledger(bucket(Algorithm.FIXED_WINDOW));
    long read = NOW + 10_000;
    fixed.noteWindowEnd(Grant.builder().granted(1, 1, 5_000).build(), NOW, read);
    fixed.owe(request(bucket, 2), read); // the window of the answer has ended
    fixed.expire(read + 5_006);
    assertEquals(2, fixed.debt());
  }

  private void charged(long permits, long left, boolean late, GiveBack... giveBacks) {
    Grant grant = Grant.builder().granted(permits, 1, 1_000).left(left).build();
    Claim claim =
        Claim.builder(bucket, BURST, BURST)
            .giveBacks(List.of(giveBacks))
            .debt(ledger.debt())
            .build();
    ledger.charge(claim, ledger.send(), grant, late, !late, NOW);
  }

  private long total() {
    return ledger.charged().total(NOW);
  }

  @Test
  void remembersWhatIsChargedLessWhatIsGivenBack() {
    charged(10, 0, false);
    charged(5, 0, false, new GiveBack(1, 4), new GiveBack(2, 2));
    assertEquals(9, total());
  }

  @Test
  void whatIsOwedIsChargedToo() {
    ledger.owe(request(bucket, 3), NOW);
    charged(2, 0, false);
    assertEquals(5, total());
    assertFalse(ledger.owes());
  }

  @Test
  void whatIsForgivenIsNotSentAgainThoughItWasInFlight() {
    ledger.owe(request(bucket, 3), NOW);
    SentDebts first = ledger.send();
    ledger.owe(request(bucket, 2), NOW);
    SentDebts second = ledger.send();
    ledger.owe(request(bucket, 1), NOW);
    ledger.forgive();
    ledger.restore(first);
    ledger.doubt(second, NOW + 1);
    ledger.endDoubt();
    assertEquals(0, ledger.unconfirmed());
    assertFalse(ledger.owes());
  }

  @Test
  void aDebtWhoseAnswerIsLateIsToldAgainAndNotCountedTwice() {
    ledger.owe(request(bucket, 3), NOW);
    charged(2, 0, true);
    assertEquals(2, total());
  }

  @Test
  void aDebtThatIsChargedAfterALaterClaimIsBeyondWhatWasUsedThen() {
    ledger.owe(request(bucket, 10), NOW);
    Claim claim = Claim.builder(bucket, BURST, BURST).debt(ledger.debt()).build();
    SentDebts slow = ledger.send();
    ledger.doubt(slow, NOW + 1_000);
    charged(2, 98, false);
    ledger.charge(claim, slow, Grant.builder().granted(1, 1, 1_000).build(), true, false, NOW);
    assertEquals(13, total());
  }

  @Test
  void isNoMoreThanTheStoreSaysIsUsed() {
    charged(30, 80, false);
    assertEquals(20, total());
    charged(5, 0, true);
    assertEquals(25, total(), "but for what came late, which it may not have known of");
    charged(0, 99, false);
    assertEquals(1, total());
    charged(30, 0, false);
    assertEquals(65, total(), "where nothing is left the number of used ones is unknown");
  }

  @Test
  void aDebtOfAFixedWindowCountsUntilThatEnds() {
    BucketLedger fixed = ledger(bucket(Algorithm.FIXED_WINDOW));
    fixed.noteWindowEnd(Grant.builder().granted(1, 1, 500).build(), NOW, NOW);
    fixed.owe(request(bucket, 3), 599);
    fixed.expire(600);
    assertTrue(fixed.owes());
    fixed.expire(601);
    assertFalse(fixed.owes());
    fixed.owe(request(bucket, 3), 601);
    fixed.expire(602);
    assertTrue(fixed.owes(), "of the next window nothing is known yet");
    fixed.expire(601 + WINDOW + WINDOW / 1_000);
    assertTrue(fixed.owes());
    fixed.expire(601 + WINDOW + WINDOW / 1_000 + 1);
    assertFalse(fixed.owes());
  }

  @Test
  void aDebtOfAnotherCountsForAWindow() {
    ledger.noteWindowEnd(Grant.builder().granted(1, 1, 500).build(), NOW, NOW);
    ledger.owe(request(bucket, 3), NOW);
    ledger.expire(NOW + WINDOW);
    assertEquals(3, ledger.debt());
    ledger.cancel(1);
    assertEquals(2, ledger.debt());
  }

  @Test
  void whatIsToldAgainIsNoMoreThanABurstAndBesidesWhatIsOwed() {
    charged(130, 0, false);
    assertFalse(ledger.hasLostCharges());
    ledger.reportLostCharges(BURST, NOW);
    ledger.owe(request(bucket, 7), NOW);
    assertTrue(ledger.hasLostCharges());
    assertTrue(ledger.owes());
    assertEquals(107, ledger.debt());
    SentDebts sent = ledger.send();
    assertEquals(0, ledger.debt());
    ledger.restore(sent);
    assertEquals(107, ledger.debt(), "there was no answer");
    SentDebts again = ledger.send();
    ledger.reportLostCharges(BURST, NOW);
    ledger.restore(again);
    assertEquals(107, ledger.debt(), "lost once more, it is reported once and not twice");
    SentDebts overdue = ledger.send();
    ledger.reportLostCharges(BURST, NOW);
    ledger.doubt(overdue, NOW + 1);
    assertEquals(100, ledger.debt(), "the debt is in doubt, the report isn't added to the new one");
  }

  @Test
  void whatIsToldAgainIsForgottenWhenItCountsNoMore() {
    charged(5, 0, false);
    ledger.reportLostCharges(BURST, NOW);
    ledger.expire(ledger.charged().until() - 1);
    assertTrue(ledger.hasLostCharges());
    ledger.expire(ledger.charged().until());
    assertFalse(ledger.hasLostCharges());
  }

  @Test
  void aDebtIsConfirmedOnce() {
    CompletableFuture<Void> first =
        ledger.oweAndConfirm(request(bucket, 3), NOW).toCompletableFuture();
    CompletableFuture<Void> second =
        ledger.oweAndConfirm(request(bucket, 3), NOW).toCompletableFuture();
    SentDebts sent = ledger.send();
    ledger.restore(sent);
    assertFalse(first.isDone() || second.isDone(), "not while a lock is held");
    SentDebts again = ledger.send();
    assertEquals(6, again.total());
    again.confirm();
    assertFalse(first.isDone(), "no request waits for what is sent again");
    sent.fail();
    assertTrue(first.isCompletedExceptionally() && second.isCompletedExceptionally());
    CompletableFuture<Void> third =
        ledger.oweAndConfirm(request(bucket, 3), NOW).toCompletableFuture();
    ledger.send().confirm();
    assertTrue(third.isDone() && !third.isCompletedExceptionally());
  }

  @Test
  void aDebtIsConfirmedAlsoIfItCountsNoMore() {
    CompletableFuture<Void> confirmed =
        ledger.oweAndConfirm(request(bucket, 3), NOW).toCompletableFuture();
    ledger.expire(NodeClock.NEVER);
    assertTrue(ledger.owes(), "an answer");
    ledger.send().confirm();
    assertTrue(confirmed.isDone());
    assertFalse(ledger.owes());
  }

  @Test
  void whatWasBorrowedIsKnownForAWindow() {
    for (long at = 0; at <= 70_000_000; at += 1_000_000) {
      shares.ask(at);
      shares.granted(new Membership(1, 1_000_000), at, at);
    }
    long now = 70_500_000;
    assertNull(ledger.borrowed(now));
    assertTrue(ledger.borrow(request(bucket, 10), now));
    assertFalse(ledger.borrow(request(bucket, 1), now));
    assertEquals(10, ledger.debt());
    assertNotNull(ledger.borrowed(now));
    assertNotNull(ledger.borrowed(now + WINDOW + WINDOW / 1_000));
    assertNull(ledger.borrowed(now + WINDOW + WINDOW / 1_000 + 1));
    ledger.close();
    long over = now + WINDOW + WINDOW / 1_000 + 1;
    assertFalse(allowance.isUntouched(bucket, over - 1), "for the next bucket that counts it");
    assertTrue(allowance.isUntouched(bucket, over));
    assertFalse(ledger(bucket).borrow(request(bucket, 1), now + 1));
  }
}
