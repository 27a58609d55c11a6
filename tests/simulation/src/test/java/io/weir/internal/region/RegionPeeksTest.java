package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Scope;
import io.weir.internal.permits.RegionPart;
import io.weir.internal.permits.RequestTerms;
import io.weir.simulation.ForwardingStore;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.Membership;
import io.weir.testkit.store.SimulatedStore;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Peeks at buckets of two or three regions, whose stores answer, or don't. */
class RegionPeeksTest {
  private static final String SECRET = "a secret of all regions";
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final CalendarWindow DAYS = CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.UTC);
  private static final Key WHO = Key.user("alice");

  private final AtomicLong clock = new AtomicLong(1_800_000_000_000_000L);
  private final Watched eu = new Watched();
  private final Watched us = new Watched();
  private final Watched ap = new Watched();

  /** A store that notes what it is asked, and answers as a test wants. */
  private final class Watched extends ForwardingStore {
    final List<Claim> claims = new ArrayList<>();
    final List<String> calls = new ArrayList<>();
    CompletionStage<List<Optional<Grant>>> instead;
    RuntimeException thrown;
    Runnable onceAsked = () -> {};

    Watched() {
      super(new SimulatedStore(clock::get));
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> asked) {
      claims.addAll(asked);
      onceAsked.run();
      if (thrown != null) {
        throw thrown;
      }
      return instead == null ? super.execute(asked) : instead;
    }

    @Override
    public CompletionStage<Optional<String>> mark(Optional<String> own) {
      calls.add("mark " + own.isPresent());
      return super.mark(own);
    }

    @Override
    public CompletionStage<Membership> heartbeat(String node) {
      calls.add("heartbeat");
      return super.heartbeat(node);
    }

    void take(Policy policy, long permits) {
      super.execute(
          List.of(
              Claim.of(bucket(policy), permits, policy.limit(), policy.burstFor(policy.limit()))));
    }

    void owe(Policy policy, long permits) {
      super.execute(
          List.of(
              Claim.builder(bucket(policy), policy.limit(), policy.limit()).debt(permits).build()));
    }
  }

  private final Ticker ticker =
      new Ticker() {
        @Override
        public long nanoTime() {
          return clock.get() * 1_000;
        }

        @Override
        public long epochMicros() {
          return clock.get();
        }
      };

  private static BucketId bucket(Policy policy) {
    return new BucketId(policy.spec(), WHO);
  }

  private static Policy policy(Algorithm algorithm) {
    return Policy.builder("p").limit(10).window(Duration.ofHours(1)).algorithm(algorithm).build();
  }

  private static RegionPeeks.Question question(Policy policy) {
    return new RegionPeeks.Question(
        bucket(policy),
        shares -> {
          long limit = policy.limit();
          if (!shares.divides(policy)) {
            return new RequestTerms(policy, 1, limit, limit, policy.burstFor(limit), 0);
          }
          RegionPart part =
              shares.partOf(policy, limit, limit, RegionShares.remainder(policy.spec(), WHO));
          long atLeastOne = Math.max(1, part.limit());
          return new RequestTerms(policy, 1, part.limit(), atLeastOne, atLeastOne, 0, 0, part);
        });
  }

  private void keepMarks() {
    us.mark(Optional.of(OwnMark.of("us", SECRET)));
    ap.mark(Optional.of(OwnMark.of("ap", SECRET)));
    us.calls.clear();
    ap.calls.clear();
  }

  private RegionPeeks eventual(Duration patience) {
    keepMarks();
    return new RegionPeeks(
        new RegionSettings(
            "eu",
            RegionMode.EVENTUAL,
            Duration.ofSeconds(1),
            Map.of(),
            Map.of("us", "shared:us", "ap", "shared:ap")),
        eu,
        LONG,
        List.of(
            new Regions.Other("us", us, patience),
            new Regions.Other("ap", ap, Duration.ofHours(1))),
        SECRET,
        ticker);
  }

  private RegionPeeks shares(Map<String, Integer> parts, List<Regions.Other> others) {
    keepMarks();
    return sharesAsTheyAre(parts, others);
  }

  private RegionPeeks sharesAsTheyAre(Map<String, Integer> parts, List<Regions.Other> others) {
    return new RegionPeeks(
        new RegionSettings("eu", RegionMode.SHARES, Duration.ofSeconds(1), parts, Map.of()),
        eu,
        LONG,
        others,
        SECRET,
        ticker);
  }

  private static RegionCounts ask(RegionPeeks peeks, Policy policy) {
    return peeks.ask(List.of(question(policy))).get(0);
  }

  private static String said(RegionCount count) {
    return count.region()
        + count.silence().map(why -> ": " + why).orElse("")
        + count
            .answer()
            .map(it -> " " + it.used() + " used, " + it.remaining() + " of " + count.limit())
            .orElse("");
  }

  private static List<String> said(RegionCounts counts) {
    return counts.counts().stream().map(RegionPeeksTest::said).toList();
  }

  @ParameterizedTest
  @EnumSource
  void eachStoreSaysWhatItHasCounted(Algorithm algorithm) {
    Policy policy = policy(algorithm);
    boolean leaks = algorithm == Algorithm.LEAKY_BUCKET; // one at once
    eu.take(policy, 1);
    us.take(policy, leaks ? 1 : 4);
    RegionCounts counts = ask(eventual(LONG), policy);
    assertEquals(RegionCounts.Counting.EVENTUAL, counts.counting());
    assertEquals(
        leaks
            ? List.of("eu 1 used, 0 of 10", "ap 0 used, 1 of 10", "us 1 used, 0 of 10")
            : List.of("eu 1 used, 9 of 10", "ap 0 used, 10 of 10", "us 4 used, 6 of 10"),
        said(counts));
    assertTrue(counts.counts().get(0).isOwn());
    assertFalse(counts.counts().get(0).answer().orElseThrow().resetAfter().isZero());
    assertTrue(counts.counts().get(1).answer().orElseThrow().resetAfter().isZero());
  }

  @Test
  void whatIsUsedBeyondTheLimitIsCounted() {
    Policy policy = policy(Algorithm.SLIDING_WINDOW);
    us.take(policy, 8);
    us.owe(policy, 9);
    assertEquals("us 17 used, 0 of 10", said(ask(eventual(LONG), policy)).get(2));
  }

  @Test
  void nothingIsChangedByALook() {
    Policy policy = policy(Algorithm.TOKEN_BUCKET);
    us.take(policy, 4);
    RegionPeeks peeks = eventual(LONG);
    List<String> first = said(ask(peeks, policy));
    assertEquals(first, said(ask(peeks, policy)));
    for (Watched each : List.of(eu, us, ap)) {
      assertTrue(each.claims.stream().allMatch(Claim::peeks), each.claims::toString);
    }
    assertEquals(List.of("mark false", "mark false"), us.calls);
    assertEquals(List.of(), eu.calls);
  }

  @Test
  void aRegionThatNeverAnswersIsListedWithTheReasonAndTheRestIsShown() {
    Policy policy = policy(Algorithm.FIXED_WINDOW);
    us.instead = new CompletableFuture<>();
    ap.take(policy, 3);
    assertEquals(
        List.of("eu 0 used, 10 of 10", "ap 3 used, 7 of 10", "us: no answer within 30 ms"),
        said(ask(eventual(Duration.ofMillis(30)), policy)));
  }

  @Test
  void allAreAskedBeforeAnyAnswers() {
    for (Watched each : List.of(eu, us, ap)) {
      each.instead = new CompletableFuture<>();
    }
    Policy policy = policy(Algorithm.FIXED_WINDOW);
    us.onceAsked = // the last
        () -> {
          eu.instead.toCompletableFuture().completeExceptionally(new IOException("cut."));
          us.instead.toCompletableFuture().complete(List.of());
          ap.instead
              .toCompletableFuture()
              .complete(List.of(Optional.empty(), Optional.of(Grant.refused(1, 0, 0))));
        };
    assertEquals(
        List.of("eu: cut", "ap: no answer for this bucket", "us: it answered 0 of 2 claims"),
        said(ask(eventual(LONG), policy)));
  }

  @Test
  void aStoreThatThrowsIsListedWithTheReason() {
    us.thrown = new IllegalStateException("it is closed");
    eu.thrown = new UnsupportedOperationException();
    List<String> said = said(ask(eventual(LONG), policy(Algorithm.FIXED_WINDOW)));
    assertEquals("us: it is closed", said.get(2));
    assertEquals("eu: java.lang.UnsupportedOperationException", said.get(0));
  }

  @Test
  void aStoreOfAnotherSecretCountsUnderOtherNamesSoItSaysNothing() {
    us.mark(Optional.of(OwnMark.of("us", "another secret")));
    List<String> said = said(ask(eventual(LONG), policy(Algorithm.FIXED_WINDOW)));
    assertTrue(
        said.get(2).startsWith("us: its store is that of 'region us, secret "), said::toString);
    assertTrue(said.get(1).startsWith("ap 0 used"), said::toString);
  }

  @Test
  void partsAreThoseOfEachRegion() {
    Policy policy = policy(Algorithm.SLIDING_WINDOW);
    eu.take(policy, 2);
    us.take(policy, 3);
    RegionCounts counts =
        ask(
            shares(
                Map.of("eu", 50, "us", 30, "ap", 20), List.of(new Regions.Other("us", us, LONG))),
            policy);
    assertEquals(RegionCounts.Counting.SHARES, counts.counting());
    assertEquals(
        List.of(
            "eu 2 used, 3 of 5", "ap: weir.region.ap.store isn't set here", "us 3 used, 0 of 3"),
        said(counts));
    assertEquals(List.of("mark false"), us.calls);
    assertEquals(List.of(), eu.calls);
  }

  /** Even by claims that only ask, a store might make what it lacks. */
  @Test
  void aStoreThatIsNotTheRegionsIsAskedForItsMarkAlone() {
    Map<String, Integer> parts = Map.of("eu", 50, "us", 30, "ap", 20);
    RegionPeeks peeks =
        sharesAsTheyAre(
            parts, List.of(new Regions.Other("us", us, LONG), new Regions.Other("ap", ap, LONG)));
    us.mark(Optional.of(OwnMark.of("ap", SECRET)));
    us.calls.clear();
    List<String> said = said(ask(peeks, policy(Algorithm.SLIDING_WINDOW)));
    assertEquals("eu 0 used, 5 of 5", said.get(0));
    assertEquals(
        "ap: its store has no mark, so none of its nodes has started yet with this prefix and"
            + " schema",
        said.get(1));
    assertTrue(
        said.get(2).startsWith("us: its store is that of 'region ap, secret "), said::toString);
    assertEquals(List.of(List.of(), List.of()), List.of(us.claims, ap.claims));
    assertEquals(List.of("mark false"), ap.calls);
  }

  @Test
  void aPartOfNothingHasNothingLeft() {
    Policy one = Policy.builder("one").limit(1).window(Duration.ofHours(1)).build();
    List<RegionCount> counts =
        ask(shares(Map.of("eu", 50, "us", 50), List.of(new Regions.Other("us", us, LONG))), one)
            .counts();
    assertEquals(1, counts.stream().mapToLong(RegionCount::limit).sum());
    assertEquals(
        1, counts.stream().mapToLong(each -> each.answer().orElseThrow().remaining()).sum());
  }

  @Test
  void whatIsEachRegionsOwnStaysWhole() {
    Policy own =
        Policy.builder("own")
            .limit(10)
            .window(Duration.ofHours(1))
            .algorithm(Algorithm.FIXED_WINDOW)
            .scope(Scope.REGION)
            .build();
    us.take(own, 3);
    RegionCounts counts =
        ask(shares(Map.of("eu", 50, "us", 50), List.of(new Regions.Other("us", us, LONG))), own);
    assertEquals(RegionCounts.Counting.REGION, counts.counting());
    assertEquals(List.of("eu 0 used, 10 of 10", "us 3 used, 7 of 10"), said(counts));
  }

  /** The other store's clock is a day ahead, so its window is another one. */
  @Test
  void windowsOfTheCalendarAreThoseOfTheStoreThatIsAsked() {
    BucketId daily =
        new BucketId(
            BucketSpec.builder("daily").algorithm(Algorithm.FIXED_WINDOW).calendar(DAYS).build(),
            WHO);
    long before = clock.get();
    long now = clock.addAndGet(TimeUnit.DAYS.toMicros(1));
    Claim peek = Claim.peek(daily, 1, 10, 10);
    assertEquals(10, left(peek, before));
    assertEquals(2, us.claims.size(), "it is asked again");
    us.execute(List.of(Claim.of(daily, 4, 10, 10).inWindow(DAYS.opens(now), DAYS.closes(now))));
    assertEquals(6, left(peek, before));
  }

  private long left(Claim peek, long now) {
    return StorePeek.ask(us, List.of(peek), now)
        .toCompletableFuture()
        .join()
        .get(0)
        .orElseThrow()
        .left();
  }
}
