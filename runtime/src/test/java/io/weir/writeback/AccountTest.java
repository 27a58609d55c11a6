package io.weir.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Offer;
import io.weir.Policy;
import io.weir.Shape;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.Wish;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is owed, and what the store is told if it loses its data: never too little. */
class AccountTest {
  private static final long NOW = 100;
  private static final long WINDOW = 60_000_000;
  private static final long BURST = 100;

  private final Shares shares = new Shares();
  private final Overdraft overdraft = new Overdraft(shares, 10);
  private final Bucket bucket = bucket(Algorithm.SLIDING_WINDOW);
  private final Account account = account(bucket);

  private Account account(Bucket of) {
    return new Account(of, overdraft, null, new Granted(of.shape().algorithm()));
  }

  private static Bucket bucket(Algorithm algorithm) {
    return new Bucket(new Shape("p", algorithm, Duration.ofMinutes(1), 0), Key.of("k"));
  }

  private static Wish wish(Bucket of, long permits) {
    Policy policy =
        Policy.builder("p")
            .limit(BURST)
            .window(Duration.ofMinutes(1))
            .overshoot(10)
            .algorithm(of.shape().algorithm())
            .build();
    return new Wish(new Offer(policy, permits, BURST, BURST, BURST, 0), of, false);
  }

  private EntryFlight flight(List<GiveBack> backs) {
    Node node =
        new Node(
            new NodeClock(Ticker.system()),
            new Pace(100_000, 5_000),
            50_000,
            overdraft,
            new Busy(10),
            new Leftovers(10),
            new Shortcuts(10));
    Entry entry = new Entries(10, node).of(wish(bucket, 1));
    Claim claim = new Claim(bucket, 0, 0, 0, backs, account.owed(), BURST, BURST);
    return new EntryFlight(entry, claim, 1, account.bill());
  }

  private void charged(long permits, long left, boolean late, GiveBack... backs) {
    Grant grant = new Grant(permits, 1, 1_000, left, 0, 0);
    account.charged(flight(List.of(backs)), grant, late, !late, NOW);
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
    Account fixed = account(bucket(Algorithm.FIXED_WINDOW));
    fixed.heard(new Grant(1, 1, 500, 0, 0, 0), NOW);
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
    account.heard(new Grant(1, 1, 500, 0, 0, 0), NOW);
    account.owe(3, NOW);
    account.expire(NOW + WINDOW);
    assertEquals(3, account.owed());
    account.forgive(1);
    assertEquals(2, account.owed());
  }

  @Test
  void whatIsToldAgainIsNoMoreThanABurstAndBesidesWhatIsOwed() {
    charged(130, 0, false);
    assertFalse(account.recounts());
    account.recount(BURST, NOW);
    account.owe(7, NOW);
    assertTrue(account.recounts());
    assertTrue(account.owes());
    assertEquals(107, account.owed());
    Bill bill = account.bill();
    assertEquals(0, account.owed());
    account.unpaid(bill, true);
    assertEquals(107, account.owed(), "nobody answered");
    Bill again = account.bill();
    account.unpaid(again, false);
    assertEquals(7, account.owed(), "of other data what it charged is recounted anyhow");
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
    Bill bill = account.bill();
    assertEquals(2, bill.creditors().size());
    assertEquals(List.of(), account.bill().creditors());
    Afterwards after = new Afterwards();
    new Bill(List.of(), List.of(), bill.creditors().subList(0, 1)).paid(after);
    new Bill(List.of(), List.of(), bill.creditors().subList(1, 2)).unpaid(after);
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
    Afterwards after = new Afterwards();
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
    assertEquals(10, account.owed());
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
