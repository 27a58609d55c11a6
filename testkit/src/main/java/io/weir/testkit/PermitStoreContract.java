package io.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests what every store must do, whatever its implementation: extend it, and the tests run.
 *
 * <p>Each test takes buckets of its own, so that a store may be shared by all of them. Only the SPI
 * is used; algorithms that a store doesn't offer are left out by {@link #algorithms}.
 *
 * <p>Confine to one thread.
 */
public abstract class PermitStoreContract {
  private static final Duration WINDOW = Duration.ofSeconds(60);
  private static final long SECOND = 1_000_000;
  private static final long DAY = 86_400_000_000L;

  private PermitStore store;
  private Optional<PermitStore> opened = Optional.empty();

  /** For subclasses. */
  protected PermitStoreContract() {}

  /**
   * Opens the store to be tested.
   *
   * @return a store that the contract closes after each test
   */
  protected abstract PermitStore open();

  /**
   * Lets time pass for the store.
   *
   * @param time how much, in whole microseconds
   */
  protected abstract void advance(Duration time);

  /**
   * Returns the algorithms of the store.
   *
   * @return all algorithms, unless overridden
   */
  protected List<Algorithm> algorithms() {
    return List.of(Algorithm.values());
  }

  /**
   * Returns whether the store counts what was used. One that only knows what is left believes any
   * stamp, and has no more at once when the limit grows.
   *
   * @return true, unless overridden
   */
  protected boolean countsUse() {
    return true;
  }

  /**
   * Returns whether a store that nodes share keeps a {@linkplain LeasingStore#mark mark}.
   *
   * @return true, unless overridden
   */
  protected boolean keepsMark() {
    return true;
  }

  @BeforeEach
  final void openStore() {
    store = Objects.requireNonNull(open(), "open() returned null");
    opened = Optional.of(store);
  }

  @AfterEach
  final void closeStore() {
    Optional<PermitStore> closing = opened;
    opened = Optional.empty(); // an instance may serve several tests, and open() may fail in one
    closing.ifPresent(
        each -> {
          each.close();
          each.close();
        });
  }

  @Test
  final void grantsUpToTheCapacityAndNoMore() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = lasting(algorithm);
      assertEquals(7, take(bucket, 7, 10).permits());
      Grant refused = take(bucket, 4, 10);
      assertEquals(0, refused.permits(), "all of atLeast or nothing, " + algorithm);
      assertEquals(3, refused.left());
      assertEquals(3, execute(claim(bucket, 4, 0, 0, 0, 10)).permits(), "as far as it goes");
      assertEquals(0, take(bucket, 1, 10).permits());
    }
  }

  @Test
  final void theSlotOfALeaseEndsAfterItWasCharged() {
    if (store instanceof LeasingStore) {
      for (Algorithm algorithm : algorithms()) {
        BucketId bucket = bucket(algorithm);
        for (int i = 0; i < 10; i++) {
          Grant grant = take(bucket, 1, 20);
          assertEquals(1, grant.permits(), algorithm.name());
          assertTrue(grant.life() > 0, algorithm + ": " + grant);
          advance(Duration.ofNanos(1_237_000));
        }
      }
    }
  }

  @Test
  final void answersEachClaimInOrderAlsoSeveralOfOneBucket() {
    for (Algorithm algorithm : algorithms()) {
      BucketId one = lasting(algorithm);
      BucketId other = lasting(algorithm);
      List<Grant> grants =
          execute(
              List.of(
                  Claim.of(one, 3, 5, 5),
                  Claim.of(other, 5, 5, 5),
                  Claim.of(one, 2, 5, 5),
                  Claim.of(one, 1, 5, 5),
                  Claim.of(other, 1, 5, 5)));
      List<Long> permits = grants.stream().map(Grant::permits).toList();
      assertEquals(List.of(3L, 5L, 2L, 0L, 0L), permits, algorithm.name());
    }
    assertEquals(List.of(), execute(List.of()));
  }

  @Test
  final void tellsKeysAndShapesApart() {
    for (Algorithm algorithm : algorithms()) {
      Key key = Key.of(UUID.randomUUID().toString());
      BucketSpec spec = bucket(algorithm).spec();
      BucketId bucket = new BucketId(spec, key);
      take(bucket, 5, 5);
      BucketSpec renamed =
          BucketSpec.builder("another").algorithm(algorithm).window(WINDOW).build();
      BucketSpec longer =
          BucketSpec.builder(spec.name())
              .algorithm(algorithm)
              .window(WINDOW.multipliedBy(2))
              .build();
      for (BucketSpec different : List.of(renamed, longer)) {
        assertEquals(5, take(new BucketId(different, key), 5, 5).permits());
      }
      Key tuple = Key.tuple(List.of(key, Key.user("alice")));
      assertEquals(5, take(new BucketId(spec, tuple), 5, 5).permits());
      assertEquals(0, take(new BucketId(spec, key), 1, 5).permits(), algorithm.name());
    }
  }

  @Test
  final void lookingTakesNothing() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = lasting(algorithm);
      for (int i = 0; i < 20; i++) {
        Grant look = execute(Claim.peek(bucket, 5, 5, 5));
        assertEquals(0, look.permits());
        assertEquals(5, look.left(), algorithm.name());
        assertEquals(0, look.retry());
        assertEquals(0, look.reset(), "full");
      }
      take(bucket, 3, 5);
      assertEquals(0, execute(Claim.peek(bucket, 2, 5, 5)).retry());
      assertTrue(execute(Claim.peek(bucket, 3, 5, 5)).retry() > 0, "how long until three are left");
    }
  }

  @Test
  final void grantsAgainWhenRetryHasPassed() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = bucket(algorithm);
      take(bucket, 10, 10);
      Grant refused = take(bucket, 4, 10);
      assertTrue(refused.retry() > 0);
      if (!(store instanceof LeasingStore)) {
        advance(refused.retry() - 1);
        assertEquals(0, take(bucket, 4, 10).permits(), "a microsecond early, " + algorithm);
        advance(1);
      } else {
        advance(refused.retry());
      }
      assertEquals(4, take(bucket, 4, 10).permits(), algorithm.name());
    }
  }

  @Test
  final void hasMoreLeftWhenResetHasPassed() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = bucket(algorithm);
      Grant grant = take(bucket, 4, 10);
      assertTrue(grant.reset() > 0);
      advance(grant.reset());
      assertTrue(execute(Claim.peek(bucket, 1, 10, 10)).left() > grant.left(), algorithm.name());
    }
  }

  @Test
  final void isWholeFromTheFirstClaimOn() {
    for (Algorithm algorithm : algorithms()) {
      for (int most : List.of(1, 2, 3, 5, 10, 20)) {
        for (int cost : List.of(1, 3)) {
          BucketId bucket = lasting(algorithm);
          for (int left = most; left >= cost; left -= cost) {
            Grant grant = take(bucket, cost, most);
            String which = algorithm + ", " + cost + " of the last " + left + " of " + most;
            assertEquals(cost, grant.permits(), which);
            assertEquals(left - cost, grant.left(), which);
          }
          assertEquals(0, take(bucket, cost, most).permits(), algorithm.name());
        }
      }
    }
  }

  @Test
  final void isWholeAgainAfterEachIdleTime() {
    for (Algorithm algorithm : algorithms()) {
      for (int most : List.of(1, 3, 10)) {
        BucketId bucket = bucket(algorithm);
        for (int used = 1; used <= most; used += 2) {
          take(bucket, used, most);
          for (long reset = reset(bucket, most); reset > 0; reset = reset(bucket, most)) {
            advance(reset);
          }
          for (int left = most - 1; left >= 0; left--) {
            assertEquals(left, take(bucket, 1, most).left(), algorithm + " of " + most);
          }
          advance(WINDOW.multipliedBy(2).plusNanos(7_000));
        }
      }
    }
  }

  private long reset(BucketId bucket, int most) {
    return execute(Claim.peek(bucket, 1, most, most)).reset();
  }

  @Test
  final void whatIsMoreThanTheCapacityIsNeverGrantedAndChargesNothing() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = bucket(algorithm);
      Grant refused = take(bucket, 11, 10);
      assertEquals(0, refused.permits());
      assertTrue(refused.retry() > 0);
      assertEquals(10, take(bucket, 10, 10).permits(), algorithm.name());
    }
  }

  @Test
  final void addsExtraOfAtMostAnEighthOfTheRest() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = lasting(algorithm);
      assertEquals(20 + 10, execute(claim(bucket, 20, 20, 50, 0, 100)).permits());
      assertEquals(1 + 2, execute(claim(bucket, 1, 1, 2, 0, 100)).permits());
      assertEquals(0, execute(claim(bucket, 80, 80, 50, 0, 100)).permits(), "needed comes first");
      assertEquals(67, execute(claim(bucket, 80, 1, 50, 0, 100)).permits(), algorithm.name());
    }
  }

  @Test
  final void creditsWhatIsGivenBackOnceAndToItsSlotOnly() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = bucket(algorithm);
      Grant grant = take(bucket, 10, 10);
      long most = giveBack(bucket, grant.stamp(), 4, 10).left();
      assertTrue(most > 0 && most <= 4, algorithm + " has " + most);
      if (countsUse()) {
        giveBack(bucket, grant.stamp() + 1_000_000_007, 4, 10);
      }
      assertEquals(
          most, execute(Claim.peek(bucket, 1, 10, 10)).left(), "a stamp that no node uses");
      assertTrue(giveBack(bucket, grant.stamp(), 1_000_000, 10).left() <= 10);
      advance(WINDOW.multipliedBy(2));
      take(bucket, 10, 10);
      assertEquals(0, giveBack(bucket, grant.stamp(), 10, 10).left(), "too late, " + algorithm);
    }
  }

  @Test
  final void chargesWhatIsOwedWhateverIsFree() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = bucket(algorithm);
      take(bucket, 8, 10);
      Grant grant = execute(claim(bucket, 1, 1, 0, 7, 10));
      assertEquals(0, grant.permits(), "debts come first");
      assertEquals(0, grant.left(), "never negative, " + algorithm);
      assertTrue(grant.retry() > 0);
    }
  }

  @Test
  final void ignoresADebtFromItsTimeOn() {
    if (!(store instanceof LeasingStore)) {
      return;
    }
    for (Algorithm algorithm : algorithms()) {
      long until = clock(ofPeriod(0, DAY)) + 100 * SECOND;
      BucketId bucket = bucket(algorithm, Duration.ofDays(30));
      take(bucket, 1, 10);
      Claim debt = Claim.builder(bucket, 10, 10).debt(3).debtUntil(until).build();
      Grant charged = execute(debt);
      assertEquals(6, charged.left(), algorithm.name());
      assertEquals(9, giveBack(bucket, charged.stamp(), 3, 10).left(), "named: " + algorithm);
      advance(100 * SECOND);
      assertEquals(9, execute(debt).left(), algorithm.name());
      Claim more = debt.toBuilder(10, 10).needed(2).atLeast(2).build();
      assertEquals(2, execute(more).permits(), "the rest of the claim counts, " + algorithm);
      assertEquals(7, execute(Claim.peek(bucket, 1, 10, 10)).left(), algorithm.name());
    }
  }

  @Test
  final void ignoresSomeDebtsOfABatch() {
    if (!(store instanceof LeasingStore)) {
      return;
    }
    for (Algorithm algorithm : algorithms()) {
      long now = clock(ofPeriod(0, DAY));
      List<Claim> claims = new ArrayList<>();
      for (long until : List.of(now + 100 * SECOND, now, 0L, now - 1, now + 100 * SECOND)) {
        BucketId fresh = bucket(algorithm, Duration.ofDays(30));
        claims.add(Claim.builder(fresh, 10, 10).debt(3).debtUntil(until).build());
      }
      List<Long> left = execute(claims).stream().map(Grant::left).toList();
      assertEquals(List.of(7L, 10L, 7L, 10L, 7L), left, algorithm.name());
    }
  }

  @Test
  final void keepsTheFirstMark() {
    if (store instanceof LeasingStore leasing && keepsMark()) {
      Optional<String> kept = mark(leasing, Optional.of("region one, secret 0a1b"));
      assertTrue(kept.isPresent());
      assertEquals(kept, mark(leasing, Optional.of("region two, secret 0a1b")));
      assertEquals(kept, mark(leasing, Optional.empty()));
    }
  }

  private static Optional<String> mark(LeasingStore leasing, Optional<String> own) {
    return leasing.mark(own).toCompletableFuture().join();
  }

  @Test
  final void theClaimSaysWhatIsInForce() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = bucket(algorithm);
      assertEquals(5, take(bucket, 5, 5).permits());
      assertEquals(0, take(bucket, 1, 5).permits());
      assertEquals(0, take(bucket, 1, 3).permits());
      long more = execute(claim(bucket, 100, 0, 0, 0, 50)).permits();
      assertTrue(
          more >= 43 && more <= 45 || more == 0 && !countsUse(), algorithm + " granted " + more);
      assertEquals(0, take(bucket, 1, 50).permits());
    }
  }

  @Test
  final void takesTheLargestNumbers() {
    long most = 1_000_000_000;
    Duration year = Duration.ofDays(366);
    for (Algorithm algorithm : algorithms()) {
      BucketSpec spec = BucketSpec.builder("largest").algorithm(algorithm).window(year).build();
      BucketId bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
      assertEquals(most, take(bucket, most, most).permits());
      assertEquals(0, take(bucket, most, most).permits(), algorithm.name());
      assertTrue(giveBack(bucket, 0, most, most).left() == 0, "a stamp that no node uses");
    }
  }

  @Test
  final void isFullAgainWhenAllHasAged() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = bucket(algorithm);
      take(bucket, 10, 10);
      advance(WINDOW.plus(WINDOW.dividedBy(20)));
      assertEquals(10, take(bucket, 10, 10).permits(), algorithm.name());
    }
  }

  @Test
  final void aRefillComesBackAtOnceEachWindowAfterTheFirstTake() {
    BucketId bucket = refilled(false);
    if (!store.counts(bucket.spec())) {
      return;
    }
    advance(WINDOW.dividedBy(7));
    Grant grant = take(bucket, 10, 3, 10);
    assertEquals(10, grant.permits());
    assertEquals(micros(WINDOW), grant.reset(), "the first take starts the clock");
    advance(WINDOW.dividedBy(2));
    assertEquals(0, take(bucket, 1, 3, 10).permits());
    advance(grant.reset() - micros(WINDOW.dividedBy(2)) - 1);
    assertEquals(0, take(bucket, 1, 3, 10).permits());
    advance(1);
    assertEquals(3, execute(Claim.builder(bucket, 3, 10).needed(9).atLeast(1).build()).permits());
    advance(WINDOW.multipliedBy(4));
    assertEquals(10, take(bucket, 10, 3, 10).permits(), "full after four more");
  }

  @Test
  final void aStrictBucketThatRefusesWaitsAnew() {
    BucketId bucket = refilled(true);
    if (!store.counts(bucket.spec())) {
      return;
    }
    assertEquals(10, take(bucket, 10, 1, 10).permits());
    advance(WINDOW.dividedBy(2));
    assertEquals(micros(WINDOW.dividedBy(2)), execute(Claim.peek(bucket, 1, 1, 10)).retry());
    Grant refused = take(bucket, 1, 1, 10);
    assertEquals(micros(WINDOW), refused.retry());
    advance(WINDOW.dividedBy(4));
    long told = refused.stamp() - refused.life() + micros(WINDOW.dividedBy(8));
    Claim later = Claim.builder(bucket, 1, 10).refusedAt(told).build();
    long retry = execute(later).retry();
    assertEquals(micros(WINDOW) - micros(WINDOW.dividedBy(4)) + micros(WINDOW.dividedBy(8)), retry);
    assertEquals(retry, execute(later).retry(), "told twice");
    advance(retry);
    assertEquals(1, take(bucket, 1, 1, 10).permits());
  }

  @Test
  final void aChangedRefillKeepsWhatWasUsed() {
    BucketId bucket = refilled(false);
    if (!store.counts(bucket.spec())) {
      return;
    }
    Grant first = take(bucket, 20, 20, 20);
    assertEquals(20, first.permits());
    assertEquals(80, execute(Claim.peek(bucket, 1, 100, 100)).left(), "under a limit of 100");
    Grant raised = take(bucket, 50, 100, 100);
    assertEquals(30, raised.left(), "70 of 100 are used");
    advance(micros(WINDOW));
    assertEquals(100, take(bucket, 100, 100, 100).permits(), "100 are back");
    assertEquals(0, take(bucket, 1, 20, 20).permits(), "100 are used, of 20");
    advance(micros(WINDOW));
    assertEquals(20, execute(Claim.peek(bucket, 1, 100, 100)).left(), "20 are back");
    assertEquals(0, execute(Claim.peek(bucket, 1, 20, 20)).left(), "80 are used, of 20");
  }

  private static BucketId refilled(boolean strict) {
    BucketSpec spec =
        BucketSpec.builder("contract")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(WINDOW)
            .refill(true)
            .strict(strict)
            .build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static long micros(Duration time) {
    return time.toNanos() / 1_000;
  }

  /** Or a change of its scope would give each caller a fresh limit. */
  @Test
  final void aLimitOfEachRegionIsTheSameBucket() {
    for (Algorithm algorithm : algorithms()) {
      BucketSpec.Builder spec = BucketSpec.builder("contract").algorithm(algorithm).window(WINDOW);
      Key key = Key.of(UUID.randomUUID().toString());
      BucketId ofAll = new BucketId(spec.build(), key);
      BucketId ofEach = new BucketId(spec.ofRegion(true).build(), key);
      assertEquals(7, take(ofAll, 7, 10).permits(), algorithm.name());
      assertEquals(0, take(ofEach, 10, 10).permits(), algorithm.name());
      forget(ofEach);
      assertEquals(10, take(ofEach, 10, 10).permits(), algorithm.name());
      assertEquals(0, take(ofAll, 10, 10).permits(), algorithm.name());
    }
  }

  @Test
  final void aForgottenBucketIsFull() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = bucket(algorithm);
      BucketId other = bucket(algorithm);
      take(bucket, 10, 10);
      take(other, 10, 10);
      forget(bucket);
      assertEquals(10, take(bucket, 10, 10).permits(), algorithm.name());
      assertEquals(0, take(bucket, 1, 10).permits(), "and counts again, " + algorithm);
      assertEquals(0, take(other, 1, 10).permits(), "others stay unchanged, " + algorithm);
      forget(bucket(algorithm)); // one that was never used
    }
  }

  @Test
  final void lendsForLongOnlyWhereItSaysSoAndNeverMoreThanTheLimit() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = lasting(algorithm);
      Grant grant = execute(far(bucket, 1, 4, 160));
      boolean lends = grantsFarLeases(algorithm);
      assertEquals(lends, grant.isFar(), () -> "as grantsFarLeases() says, " + algorithm);
      assertEquals(lends ? 5 : 1, grant.permits(), algorithm.name());
      assertEquals(160 - grant.permits(), grant.left());
      assertEquals(160 - grant.permits(), take(bucket, grant.left(), 160).permits());
      Grant none = execute(far(bucket, 1, 4, 160));
      assertEquals(0, none.permits(), "it counts as what was taken, " + algorithm);
      assertTrue(!none.isFar());
    }
  }

  @Test
  final void lendsAgainOnlyWhatIsAccountedFor() {
    for (Algorithm algorithm : algorithms()) {
      if (grantsFarLeases(algorithm)) {
        BucketId bucket = bucket(algorithm);
        Grant first = execute(far(bucket, 1, 32, 160));
        assertEquals(12, first.permits(), "an eighth of a small limit, but no more than 12");
        assertTrue(!execute(far(bucket, 1, 4, 160)).isFar(), "they are all open");
        Grant next = execute(far(bucket, 1, 32, 160, new GiveBack(first.stamp(), 3, 2)));
        assertEquals(5, next.permits(), algorithm.name());
        assertEquals(160 - 12 - 1 + 3 - 5, next.left(), algorithm.name());
      }
    }
  }

  @Test
  final void countsWhatWasSpentOfAFarLeaseFromThenOn() {
    if (algorithms().contains(Algorithm.SLIDING_WINDOW)
        && grantsFarLeases(Algorithm.SLIDING_WINDOW)) {
      BucketId bucket = bucket(Algorithm.SLIDING_WINDOW);
      Grant far = execute(far(bucket, 1, 4, 160));
      execute(far(bucket, 0, 0, 160, new GiveBack(far.stamp(), 0, 2)));
      advance(WINDOW.plus(WINDOW.dividedBy(30)));
      assertEquals(157, execute(Claim.peek(bucket, 1, 160, 160)).left(), "two are back");
      advance(WINDOW.dividedBy(6));
      assertEquals(160, execute(Claim.peek(bucket, 1, 160, 160)).left(), "all are");
    }
  }

  @Test
  final void countsByTheCalendarUntilTheWindowEnds() {
    BucketId bucket = ofCalendar(ZoneOffset.UTC);
    if (!store.counts(bucket.spec())) {
      return;
    }
    Grant first = today(bucket, Claim.of(bucket, 7, 10, 10));
    assertEquals(7, first.permits());
    assertEquals(first.reset(), first.life(), "all come back when the window ends");
    assertTrue(
        first.life() > 0 && first.life() <= DAY, "must be at most a day, not " + first.life());
    Grant refused = today(bucket, Claim.of(bucket, 4, 10, 10));
    assertEquals(0, refused.permits());
    assertEquals(3, refused.left());
    assertEquals(first.life(), refused.retry(), "until the window ends");
    GiveBack back = new GiveBack(first.stamp(), 2);
    assertEquals(5, today(bucket, giveBack(bucket, back)).left());
    advance(refused.retry() - 1);
    assertEquals(0, today(bucket, Claim.of(bucket, 6, 10, 10)).permits(), "a microsecond early");
    advance(1);
    Grant next = today(bucket, Claim.of(bucket, 10, 10, 10));
    assertEquals(10, next.permits());
    assertEquals(DAY, next.life());
    assertEquals(0, today(bucket, giveBack(bucket, back)).left(), "too late");
  }

  @Test
  final void tellsCalendarsApart() {
    BucketId utc = ofCalendar(ZoneOffset.UTC);
    if (store.counts(utc.spec())) {
      Key key = Key.of(UUID.randomUUID().toString());
      for (ZoneOffset zone : List.of(ZoneOffset.UTC, ZoneOffset.ofHours(5), ZoneOffset.MIN)) {
        BucketId bucket = new BucketId(ofCalendar(zone).spec(), key);
        assertEquals(5, today(bucket, Claim.of(bucket, 5, 5, 5)).permits());
      }
    }
  }

  @Test
  final void theWindowThatIsKeptHoldsWhateverIsNamed() {
    BucketId bucket = ofCalendar(ZoneOffset.UTC);
    if (!store.counts(bucket.spec())) {
      return;
    }
    Claim claim = Claim.of(bucket, 4, 10, 10);
    Grant first = today(bucket, claim);
    long now = first.stamp() - first.life();
    long end = first.stamp();
    long hour = 3_600_000_000L;
    Grant longer = execute(claim.inWindow(end - DAY, end + hour));
    assertEquals(4, longer.permits());
    assertEquals(end, longer.stamp());
    assertEquals(end, execute(claim.inWindow(end + 7, end + DAY)).stamp(), "not begun yet");
    assertEquals(end, execute(claim.inWindow(0, now - 7)).stamp(), "long over");
    assertEquals(2, execute(Claim.peek(bucket, 1, 10, 10).inWindow(0, now - 7)).left());
    advance(first.life());
    Grant none = execute(claim.inWindow(end + 1, end + DAY));
    assertTrue(none.isOfOtherWindow(), "no claim names the window that is running");
    assertEquals(end, none.storeClock());
    assertEquals(0, none.permits() + none.left() + none.retry());
    Claim debt = Claim.builder(bucket, 10, 10).debt(5).window(end - DAY, end).build();
    assertTrue(execute(debt).isOfOtherWindow(), "not begun before the last one ended");
    Grant rest = execute(claim.inWindow(end - DAY, end + hour));
    assertEquals(end + hour, rest.stamp(), "what is left of another node's window");
    assertEquals(6, rest.left(), "no debt was charged");
    assertEquals(end + hour, today(bucket, claim).stamp());
  }

  @Test
  final void aPeriodCountsFromADayBeforeItBeginsToFortyDaysAfterItsEnd() {
    if (!store.counts(ofPeriod(0, DAY).spec())) {
      return;
    }
    long now = clock(ofPeriod(0, DAY));
    long end = now + 3 * DAY;
    BucketId bucket = ofPeriod(now + DAY / 2, end);
    Grant early = inPeriod(bucket, Claim.of(bucket, 4, 10, 10));
    assertEquals(4, early.permits(), "a node whose clock is ahead");
    assertEquals(end + 40 * DAY, early.stamp());
    assertEquals(early.reset() + 40 * DAY, early.life(), "kept longer than the caller is told");
    advance(3 * DAY - 1);
    Grant last = inPeriod(bucket, Claim.of(bucket, 7, 10, 10));
    assertEquals(0, last.permits());
    assertEquals(1, last.retry(), "until the period ends");
    advance(40 * DAY);
    Grant late = inPeriod(bucket, Claim.of(bucket, 7, 10, 10));
    assertEquals(6, late.left(), "what a node whose clock is behind counts");
    assertEquals(List.of(SECOND, SECOND), List.of(late.retry(), late.reset()), "it has ended");
    GiveBack back = new GiveBack(early.stamp(), 3);
    assertEquals(9, inPeriod(bucket, giveBack(bucket, back)).left(), "given back after the end");
    assertEquals(1, inPeriod(bucket, Claim.of(bucket, 1, 10, 10)).permits());
    advance(1);
    assertTrue(inPeriod(bucket, Claim.of(bucket, 1, 10, 10)).isOfOtherWindow(), "it is forgotten");
  }

  @Test
  final void twoPeriodsOfACallerAreTwoBuckets() {
    if (!store.counts(ofPeriod(0, DAY).spec())) {
      return;
    }
    long now = clock(ofPeriod(0, DAY));
    Key caller = Key.of(UUID.randomUUID().toString());
    BucketId last = new BucketId(ofPeriod(now - DAY, now).spec(), caller);
    BucketId running = new BucketId(ofPeriod(now, now + DAY).spec(), caller);
    assertEquals(10, inPeriod(running, Claim.of(running, 10, 10, 10)).permits());
    assertEquals(10, inPeriod(last, Claim.of(last, 10, 10, 10)).permits());
    assertEquals(0, inPeriod(running, Claim.of(running, 1, 10, 10)).permits());
  }

  @Test
  final void countsWhatIsKnownToBeUsedIfItHasCountedLess() {
    if (!store.counts(ofPeriod(0, DAY).spec())) {
      return;
    }
    long now = clock(ofPeriod(0, DAY));
    BucketId bucket = ofPeriod(now - DAY, now + DAY);
    Grant first = inPeriod(bucket, known(bucket, 6).needed(3).atLeast(3).build());
    assertEquals(3, first.permits());
    assertEquals(1, first.left(), "six and three of ten");
    assertEquals(1, inPeriod(bucket, known(bucket, 8).build()).left(), "less than it has counted");
    GiveBack back = new GiveBack(first.stamp(), 3);
    Claim known = known(bucket, 8).giveBack(back).debt(1).build();
    assertEquals(2, inPeriod(bucket, known).left(), "after what is given back and owed");
    assertEquals(0, inPeriod(bucket, known(bucket, 8).needed(3).atLeast(3).build()).permits());
    assertEquals(0, inPeriod(bucket, known(bucket, 1_000).atLeast(1).build()).left(), "a peek");
    inPeriod(bucket, known(bucket, 1_000).needed(1).atLeast(1).build());
    assertEquals(1_000, inPeriod(bucket, Claim.peek(bucket, 1, 2_000, 2_000)).left());
  }

  private static Claim.Builder known(BucketId bucket, long used) {
    return Claim.builder(bucket, 10, 10).usedAtLeast(used);
  }

  /** Names the window in which the store's clock is. */
  private Grant today(BucketId bucket, Claim claim) {
    CalendarWindow calendar = bucket.spec().calendar().orElseThrow();
    long now = clock(bucket);
    return execute(claim.inWindow(calendar.begin(now), calendar.end(now)));
  }

  /**
   * Returns the store's clock, which it returns for a claim that names a window that isn't running.
   */
  private long clock(BucketId bucket) {
    BucketId unused = new BucketId(bucket.spec(), Key.of(UUID.randomUUID().toString()));
    return execute(Claim.peek(unused, 1, 1, 1).inWindow(0, 1)).storeClock();
  }

  private Grant inPeriod(BucketId bucket, Claim claim) {
    CalendarWindow period = bucket.spec().calendar().orElseThrow();
    return execute(claim.inWindow(period.opens(0), period.closes(0)));
  }

  private static BucketId ofPeriod(long begin, long end) {
    CalendarWindow period =
        CalendarWindow.period(
            Instant.EPOCH.plus(begin, ChronoUnit.MICROS),
            Instant.EPOCH.plus(end, ChronoUnit.MICROS));
    BucketSpec spec =
        BucketSpec.builder("contract").algorithm(Algorithm.FIXED_WINDOW).calendar(period).build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static Claim giveBack(BucketId bucket, GiveBack back) {
    return Claim.builder(bucket, 10, 10).giveBack(back).build();
  }

  private static BucketId ofCalendar(ZoneOffset zone) {
    BucketSpec spec =
        BucketSpec.builder("contract")
            .algorithm(Algorithm.FIXED_WINDOW)
            .calendar(CalendarWindow.of(1, ChronoUnit.DAYS, zone))
            .build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private boolean grantsFarLeases(Algorithm algorithm) {
    boolean window = algorithm == Algorithm.FIXED_WINDOW || algorithm == Algorithm.SLIDING_WINDOW;
    return window && store instanceof LeasingStore leasing && leasing.grantsFarLeases();
  }

  private static Claim far(
      BucketId bucket, long needed, long far, long effectiveLimit, GiveBack... settled) {
    return Claim.builder(bucket, effectiveLimit, effectiveLimit)
        .needed(needed)
        .atLeast(needed)
        .far(far)
        .giveBacks(List.of(settled))
        .build();
  }

  @Test
  final void aSuccessClearsTheFailuresReportedBeforeItsPermitWasGranted() {
    BucketSpec spec = BucketSpec.builder("contract").window(WINDOW).clears(true).build();
    if (!store.counts(spec)) {
      return;
    }
    BucketId bucket = new BucketId(spec, Key.of(UUID.randomUUID().toString()));
    Grant running = take(bucket, 1, 6);
    Grant early = take(bucket, 1, 6);
    Grant late = take(bucket, 1, 6);
    execute(Claim.builder(bucket, 6, 6).giveBack(new GiveBack(early.stamp(), 0, 1)).build());
    assertEquals(3, take(bucket, 0, 6).left(), "a failure counts");
    Grant success = take(bucket, 1, 6);
    execute(Claim.builder(bucket, 6, 6).giveBack(new GiveBack(late.stamp(), 0, 1)).build());
    Claim.Builder succeeded = Claim.builder(bucket, 6, 6).clearBefore(success.stamp());
    assertEquals(4, execute(succeeded.giveBack(new GiveBack(success.stamp(), 1)).build()).left());
    for (Grant each : List.of(early, late, success)) {
      assertEquals(4, giveBack(bucket, each.stamp(), 1, 6).left(), "nothing is credited twice");
    }
    assertEquals(
        4, execute(Claim.builder(bucket, 6, 6).clearBefore(success.stamp()).build()).left());
    assertEquals(5, giveBack(bucket, running.stamp(), 1, 6).left(), "it was still running");
    Grant next = take(bucket, 1, 6);
    assertEquals(5, execute(Claim.builder(bucket, 6, 6).clearBefore(next.stamp()).build()).left());
    Grant refused = take(bucket, 6, 6);
    assertEquals(0, refused.permits());
    advance(refused.retry() - 1);
    assertEquals(0, take(bucket, 6, 6).permits(), "a microsecond early");
    advance(1);
    assertEquals(6, take(bucket, 6, 6).permits());
  }

  private void forget(BucketId bucket) {
    store.forget(bucket).toCompletableFuture().join();
  }

  @Test
  final void grantsExactlyTheLimitToManyThreads() {
    for (Algorithm algorithm : algorithms()) {
      BucketId bucket = lasting(algorithm);
      List<CompletableFuture<Long>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        all.add(CompletableFuture.supplyAsync(() -> takeOneByOne(bucket, 50, 100)));
      }
      long granted = all.stream().mapToLong(CompletableFuture::join).sum();
      assertEquals(100, granted, algorithm.name());
    }
  }

  private long takeOneByOne(BucketId bucket, int times, long effectiveLimit) {
    return Collections.nCopies(times, Claim.of(bucket, 1, effectiveLimit, effectiveLimit)).stream()
        .mapToLong(claim -> execute(claim).permits())
        .sum();
  }

  /** A bucket to which nothing comes back while a test runs. */
  private static BucketId lasting(Algorithm algorithm) {
    return bucket(algorithm, BucketSpec.hasBurst(algorithm) ? Duration.ofDays(30) : WINDOW);
  }

  private static BucketId bucket(Algorithm algorithm) {
    return bucket(algorithm, WINDOW);
  }

  private static BucketId bucket(Algorithm algorithm, Duration window) {
    BucketSpec spec = BucketSpec.builder("contract").algorithm(algorithm).window(window).build();
    return new BucketId(spec, Key.of(UUID.randomUUID().toString()));
  }

  private static Claim claim(
      BucketId bucket, long needed, long atLeast, long extra, long debt, long effectiveLimit) {
    return Claim.builder(bucket, effectiveLimit, effectiveLimit)
        .needed(needed)
        .atLeast(atLeast)
        .extra(extra)
        .debt(debt)
        .build();
  }

  private Grant take(BucketId bucket, long permits, long effectiveLimit) {
    return take(bucket, permits, effectiveLimit, effectiveLimit);
  }

  private Grant take(BucketId bucket, long permits, long effectiveLimit, long burst) {
    return execute(Claim.of(bucket, permits, effectiveLimit, burst));
  }

  private Grant giveBack(BucketId bucket, long stamp, long permits, long effectiveLimit) {
    List<GiveBack> giveBacks = List.of(new GiveBack(stamp, permits));
    return execute(
        Claim.builder(bucket, effectiveLimit, effectiveLimit).giveBacks(giveBacks).build());
  }

  private Grant execute(Claim claim) {
    return execute(List.of(claim)).get(0);
  }

  private List<Grant> execute(List<Claim> claims) {
    List<Grant> grants =
        store.execute(claims).toCompletableFuture().join().stream()
            .map(Optional::orElseThrow)
            .toList();
    assertEquals(claims.size(), grants.size(), "one grant for each claim");
    return grants;
  }

  private void advance(long micros) {
    advance(Duration.ofNanos(micros * 1_000));
  }
}
