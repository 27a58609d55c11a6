package io.weir.internal.inprocess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CompletionException;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class InProcessStoreTest {
  private static final long MINUTE = 60_000_000;

  private final HandTicker ticker = new HandTicker();
  private final InProcessStore store = new InProcessStore(ticker, 1_000);

  @Test
  void executesClaimsInTheirOrderAndAtOnce() {
    Asking asking = Asking.of(store, Algorithm.SLIDING_WINDOW, MINUTE, 5);
    Claim ofAlice = Claim.of(asking.bucket("alice"), 3, 5, 5);
    Claim ofBob = Claim.of(asking.bucket("bob"), 3, 5, 5);
    var stage = store.execute(List.of(ofAlice, ofBob, ofAlice, ofBob)).toCompletableFuture();
    assertTrue(stage.isDone());
    assertEquals(
        List.of(3L, 3L, 0L, 0L),
        stage.join().stream().map(grant -> grant.orElseThrow().permits()).toList());
    assertEquals(List.of(), store.execute(List.of()).toCompletableFuture().join());
  }

  @Test
  void cutsFixedWindowsByTheWallClock() {
    ticker.jumpWall(59_000_000);
    InProcessStore late = new InProcessStore(ticker, 10);
    Asking asking = Asking.of(late, Algorithm.FIXED_WINDOW, MINUTE, 5);
    assertEquals(1_000_000, asking.take("alice", 5).reset());
    ticker.advance(999_999);
    assertFalse(asking.take("alice"));
    ticker.advance(1);
    assertTrue(asking.take("alice"));
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aWallClockThatIsSetBackOrALittleAheadNeitherMintsNorFreezes(Algorithm algorithm) {
    Asking asking = Asking.of(store, algorithm, MINUTE, 5);
    assertEquals(5, asking.take("alice", 5).permits());
    ticker.jumpWall(999_000);
    ticker.advance(1_000);
    assertFalse(asking.take("alice"));
    ticker.jumpWall(-365 * 24 * 60 * MINUTE);
    ticker.advance(1_000);
    assertFalse(asking.take("alice"));
    ticker.jumpWall(365 * 24 * 60 * MINUTE);
    ticker.advance(1_000);
    assertFalse(asking.take("alice"), "only back to where it was");
    ticker.advance(asking.take("alice", 5).retry());
    assertEquals(5, asking.take("alice", 5).permits());
  }

  @Test
  void daysBeginAtTheirMidnightAfterTheMachineWasSuspended() {
    CalendarWindow days = CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.UTC);
    BucketSpec spec =
        BucketSpec.builder("day").algorithm(Algorithm.FIXED_WINDOW).calendar(days).build();
    Asking asking = new Asking(store, spec, 5);
    assertEquals(5, asking.take("alice", 5).permits());
    ticker.jumpWall(60 * MINUTE); // asleep
    ticker.advance(1_000);
    assertFalse(asking.take("alice"));
    ticker.advance(days.end(ticker.epochMicros()) - ticker.epochMicros() - 1);
    assertFalse(asking.take("alice"));
    ticker.advance(1);
    assertTrue(asking.take("alice"));
  }

  @Test
  void holdsNothingForThoseWhoOnlyLookOrAreRefused() {
    Asking asking = Asking.of(store, Algorithm.TOKEN_BUCKET, MINUTE, 5);
    assertEquals(5, asking.left("alice"));
    assertEquals(0, asking.take("alice", 6).permits());
    assertEquals(0, store.size());
    assertTrue(asking.take("alice"));
    assertEquals(1, store.size());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void freesTheMemoryOfBucketsThatAreAsGoodAsNew(Algorithm algorithm) {
    Asking asking = Asking.of(store, algorithm, MINUTE, 5);
    for (int i = 0; i < 900; i++) {
      asking.take("key " + i);
    }
    assertEquals(900, store.size());
    ticker.advance(30_000_000);
    asking.take("debtor", 5);
    ticker.advance(45_000_000);
    for (int i = 0; i < 100; i++) {
      ticker.advance(10_000);
      asking.left("nobody");
    }
    assertEquals(algorithm == Algorithm.FIXED_WINDOW ? 0 : 1, store.size());
  }

  @Test
  void aDebtIsRememberedForAsLongAsItLasts() {
    Asking asking = Asking.of(store, Algorithm.TOKEN_BUCKET, MINUTE, 60);
    asking.ask(Claim.builder(asking.bucket("debtor"), 60, 60).debt(600).build());
    for (int i = 0; i < 540; i++) {
      ticker.advance(1_000_000);
      assertEquals(0, asking.left("debtor"), "after " + i);
      asking.left("nobody");
    }
    ticker.advance(1_000_000);
    assertEquals(1, asking.left("debtor"));
  }

  @Test
  void givesBackToTheBucketThatWasCharged() {
    Asking asking = Asking.of(store, Algorithm.SLIDING_LOG, MINUTE, 5);
    Grant grant = asking.take("alice", 5);
    assertEquals(5, asking.giveBack("alice", grant).left());
    assertEquals(5, asking.giveBack("alice", grant).left(), "once only");
  }

  @Test
  void failsOnceClosed() {
    Asking asking = Asking.of(store, Algorithm.SLIDING_LOG, MINUTE, 5);
    asking.take("alice");
    store.close();
    store.close();
    assertEquals(0, store.size());
    assertThrows(CompletionException.class, () -> asking.take("alice"));
  }

  @Test
  void isFoundByItsScheme() {
    StoreProvider provider =
        StreamSupport.stream(ServiceLoader.load(StoreProvider.class).spliterator(), false)
            .filter(found -> found.schemes().contains("inprocess"))
            .findFirst()
            .orElseThrow();
    assertEquals(0, provider.open(URI.create("inprocess:/"), name -> "", ticker).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1e3", "many", "100000001", "99999999999999999999"})
  void refusesASillyBoundAndSaysWhichSettingIsWrong(String text) {
    var thrown =
        assertThrows(
            IllegalArgumentException.class,
            () -> new InProcessProvider().open(URI.create("inprocess:/"), name -> text, ticker));
    assertTrue(thrown.getMessage().contains("weir.store.max-buckets"), thrown.getMessage());
    assertTrue(thrown.getMessage().contains("'" + text + "'"), thrown.getMessage());
  }
}
