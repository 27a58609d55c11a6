package io.weir.internal.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is owed, and what the store is told if it loses its data: never too little. */
class BucketLedgerTest {
  private static final long NOW = 100;
  private static final long WINDOW = 60_000_000;
  private static final long BURST = 100;

  private final OvershootShares shares = new OvershootShares();
  private final OvershootAllowance overdraft = new OvershootAllowance(shares, 10);
  private final BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
  private final BucketLedger account = account(bucket);

  private BucketLedger account(BucketId of) {
    return new BucketLedger(of, overdraft, null, new ChargedPermits(of.spec().algorithm()));
  }

  private static BucketId bucket(Algorithm algorithm) {
    return new BucketId(
        BucketSpec.builder("p").algorithm(algorithm).window(Duration.ofMinutes(1)).build(),
        Key.of("k"));
  }

  private static BucketRequest wish(BucketId of, long permits) {
    Policy policy =
        Policy.builder("p")
            .limit(BURST)
            .window(Duration.ofMinutes(1))
            .overshoot(10)
            .algorithm(of.spec().algorithm())
            .build();
    return new BucketRequest(new RequestTerms(policy, permits, BURST, BURST, BURST, 0), of, false);
  }

  private BucketClaim flight(List<GiveBack> giveBacks) {
    CacheContext node =
        new CacheContext(
            new NodeClock(Ticker.system()),
            new LeaseHorizon(100_000, 5_000),
            50_000,
            overdraft,
            new FlushQueue(10),
            new EvictedBacklog(10),
            new RecentBuckets(10));
    ActiveBucket entry = new BucketCache(10, node).of(wish(bucket, 1));
    Claim claim =
        Claim.builder(bucket, BURST, BURST).giveBacks(giveBacks).debt(account.debt()).build();
    return new BucketClaim(entry, claim, 1, account.bill());
  }

  private void charged(long permits, long left, boolean late, GiveBack... giveBacks) {
    Grant grant = Grant.builder().granted(permits, 1, 1_000).left(left).build();
    account.charged(flight(List.of(giveBacks)), grant, late, !late, NOW);
  }

  private long total() {
    return account.granted().total(NOW);
  }

  @Test
  void remembersWhatIsChargedLessWhatIsGivenBack() {
    charged(10, 0, false);
    charged(5, 0, false, new GiveBack(1, 4), new GiveBack(2, 2));
    assertEquals(9, total());
  }

  @Test
  void whatIsOwedIsChargedToo() {
    account.owe(3, NOW);
    charged(2, 0, false);
    assertEquals(5, total());
    assertFalse(account.owes());
  }

  @Test
  void aDebtWhoseAnswerIsLateIsToldAgainAndNotCountedTwice() {
    account.owe(3, NOW);
    charged(2, 0, true);
    assertEquals(2, total());
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
    assertEquals(65, total(), "where nothing is left nobody knows how many are used");
  }

  @Test
  void aDebtOfAFixedWindowCountsUntilThatEnds() {
    BucketLedger fixed = account(bucket(Algorithm.FIXED_WINDOW));
    fixed.heard(Grant.builder().granted(1, 1, 500).build(), NOW);
    fixed.owe(3, 600);
    fixed.expire(600);
    assertTrue(fixed.owes());
    fixed.expire(601);
    assertFalse(fixed.owes());
    fixed.owe(3, 601);
    fixed.expire(602);
    assertTrue(fixed.owes(), "of the next window nothing is known yet");
    fixed.expire(601 + WINDOW + WINDOW / 1_000);
    assertTrue(fixed.owes());
    fixed.expire(601 + WINDOW + WINDOW / 1_000 + 1);
    assertFalse(fixed.owes());
  }

  @Test
  void aDebtOfAnotherCountsForAWindow() {
    account.heard(Grant.builder().granted(1, 1, 500).build(), NOW);
    account.owe(3, NOW);
    account.expire(NOW + WINDOW);
    assertEquals(3, account.debt());
    account.forgive(1);
    assertEquals(2, account.debt());
  }

  @Test
  void whatIsToldAgainIsNoMoreThanABurstAndBesidesWhatIsOwed() {
    charged(130, 0, false);
    assertFalse(account.recounts());
    account.recount(BURST, NOW);
    account.owe(7, NOW);
    assertTrue(account.recounts());
    assertTrue(account.owes());
    assertEquals(107, account.debt());
    SentDebts bill = account.bill();
    assertEquals(0, account.debt());
    account.unpaid(bill, true);
    assertEquals(107, account.debt(), "nobody answered");
    SentDebts again = account.bill();
    account.unpaid(again, false);
    assertEquals(7, account.debt(), "of other data what it charged is recounted anyhow");
  }

  @Test
  void whatIsToldAgainIsForgottenWhenItCountsNoMore() {
    charged(5, 0, false);
    account.recount(BURST, NOW);
    account.expire(account.granted().until() - 1);
    assertTrue(account.recounts());
    account.expire(account.granted().until());
    assertFalse(account.recounts());
  }

  @Test
  void whoWantsToKnowIsToldOnce() {
    CompletableFuture<Void> paid = account.charge(3, NOW).toCompletableFuture();
    CompletableFuture<Void> unpaid = account.charge(3, NOW).toCompletableFuture();
    SentDebts bill = account.bill();
    assertEquals(2, bill.creditors().size());
    assertEquals(List.of(), account.bill().creditors());
    AfterUnlock after = new AfterUnlock();
    new SentDebts(List.of(), List.of(), bill.creditors().subList(0, 1)).paid(after);
    new SentDebts(List.of(), List.of(), bill.creditors().subList(1, 2)).unpaid(after);
    assertFalse(paid.isDone() || unpaid.isDone(), "not while a lock is held");
    after.run();
    assertTrue(paid.isDone() && !paid.isCompletedExceptionally());
    assertTrue(unpaid.isCompletedExceptionally());
  }

  @Test
  void whoWantsToKnowIsToldAlsoOfADebtThatCountsNoMore() {
    CompletableFuture<Void> paid = account.charge(3, NOW).toCompletableFuture();
    account.expire(NodeClock.NEVER);
    assertTrue(account.owes(), "an answer");
    AfterUnlock after = new AfterUnlock();
    account.bill().paid(after);
    after.run();
    assertTrue(paid.isDone());
    assertFalse(account.owes());
  }

  @Test
  void whatWasBorrowedIsKnownForAWindow() {
    for (long at = 0; at <= 70_000_000; at += 1_000_000) {
      shares.ask(at);
      shares.granted(1_000_000, at, at);
    }
    long now = 70_500_000;
    assertNull(account.loan(now));
    assertTrue(account.borrow(wish(bucket, 10), now));
    assertFalse(account.borrow(wish(bucket, 1), now));
    assertEquals(10, account.debt());
    assertNotNull(account.loan(now));
    assertNotNull(account.loan(now + WINDOW + WINDOW / 1_000));
    assertNull(account.loan(now + WINDOW + WINDOW / 1_000 + 1));
    account.close();
    long over = now + WINDOW + WINDOW / 1_000 + 1;
    assertFalse(overdraft.isUntouched(bucket, over - 1), "for whoever counts it next");
    assertTrue(overdraft.isUntouched(bucket, over));
    assertFalse(account(bucket).borrow(wish(bucket, 1), now + 1));
  }
}
