package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RegionStatus;
import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import io.weir.test.log.LogLines;
import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two regions, of which each knows when the other one reported to its store. */
class HeardReportsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:01:00Z"));
  private final SimulatedStore euStore = new SimulatedStore(time::now);
  private final SimulatedStore usStore = new SimulatedStore(time::now);
  private final CutLink toUs = new CutLink(usStore);
  private final CutLink toEu = new CutLink(euStore);
  private final CutLink inEu = new CutLink(euStore);
  private final List<CutLink> links = new ArrayList<>();

  /** A link to a store that can be cut. */
  private static final class CutLink extends ForwardingStore {
    private boolean isCut;
    private boolean isStill;
    private long signs;

    CutLink(LeasingStore store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
      signs += claims.stream().filter(HeardReportsTest::isSign).count();
      if (isStill) {
        return new CompletableFuture<>();
      }
      return isCut ? cut() : super.execute(claims);
    }

    @Override
    public CompletionStage<Optional<String>> mark(Optional<String> own) {
      return isCut ? cut() : super.mark(own);
    }

    private static <T> CompletionStage<T> cut() {
      return CompletableFuture.failedStage(new IOException("connection refused"));
    }
  }

  private static boolean isSign(Claim claim) {
    return claim.needed() > 0 && claim.bucket().spec().name().equals("weir.heard");
  }

  private Regions node(
      String own, LeasingStore store, String other, LeasingStore link, Duration interval) {
    VirtualClock clock = new VirtualClock(time, 0, 0, 0);
    Regions regions =
        new Regions(
            new RegionSettings(own, RegionMode.EVENTUAL, interval, Map.of(), Map.of(other, "…")),
            store,
            List.of(new Regions.Other(other, link, SECOND)),
            "a secret of all regions",
            1_000,
            Duration.ZERO,
            clock,
            new VirtualScheduler(time, clock, Runnable::run));
    regions.start();
    return regions;
  }

  private Regions eu(Duration interval) {
    return node("eu", inEu, "us", toUs, interval);
  }

  private Regions us(Duration interval) {
    return node("us", usStore, "eu", toEu, interval);
  }

  private static RegionStatus other(Regions node) {
    return node.status().get(1);
  }

  private static double heard(Regions node) {
    return other(node).heard().orElseThrow().toMillis() / 1_000.0;
  }

  private void run(int seconds) {
    time.run(Duration.ofSeconds(seconds));
  }

  @Test
  void tellsHowLongAgoARegionReportedHere() {
    Regions eu = eu(SECOND);
    us(SECOND);
    run(5);
    for (int second = 0; second < 100; second++) {
      time.run(Duration.ofMillis(730));
      assertEquals(0, heard(eu), 3);
    }
    toEu.isCut = true;
    for (int second = 1; second < 200; second++) {
      run(1);
      assertEquals(second, heard(eu), 3);
    }
    assertEquals(0, other(eu).reported().orElseThrow().toSeconds(), "the other way is open");
    toEu.isCut = false;
    run(4);
    assertEquals(0, heard(eu), 3);
  }

  @Test
  void hearsNothingOfARegionThatHasNeverReported() {
    Regions eu = eu(SECOND);
    run(9);
    assertEquals(Optional.empty(), other(eu).heard());
    assertTrue(other(eu).trouble().orElseThrow().startsWith("its store has no mark"));
    us(SECOND);
    run(4);
    assertEquals(0, heard(eu), 3);
    assertEquals(Optional.empty(), other(eu).trouble());
  }

  @Test
  void nobodyIsWarnedOfARegionThatIsStillToStart() {
    try (LogLines log = new LogLines("io.weir")) {
      Regions eu = eu(SECOND);
      run(595);
      assertFalse(other(eu).isCutOff());
      us(SECOND);
      run(5);
      assertEquals(Optional.empty(), other(eu).trouble());
      run(100);
      assertFalse(other(eu).isCutOff());
      assertEquals(List.of(), log.containing("WARNING"));
      assertEquals(1, log.containing("Nothing is reported to region us yet: its store").size());
      assertEquals(1, log.containing("Region us has started").size());
    }
  }

  @Test
  void warnsOnceOfARegionThatDoesNotStart() {
    try (LogLines log = new LogLines("io.weir")) {
      Regions eu = eu(SECOND);
      run(605);
      assertTrue(other(eu).isCutOff());
      run(600);
      assertEquals(
          List.of(
              "WARNING Nothing is reported to region us: its store has no mark, so none of its nodes"
                  + " has started yet with this prefix and schema. Start them, or correct"
                  + " weir.region.us.store"),
          log.containing("WARNING"));
      us(SECOND);
      run(5);
      assertFalse(other(eu).isCutOff());
      assertEquals(1, log.containing("Region us has started").size());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNodeThatStartsWhileARegionIsAwayWarnsOfItSoon(boolean isItsStoreAwayToo) {
    eu(SECOND);
    us(SECOND);
    run(5);
    toEu.isCut = true;
    run(70);
    toUs.isCut = isItsStoreAwayToo;
    Regions later = eu(SECOND);
    run(8);
    assertFalse(other(later).isCutOff());
    assertEquals(Optional.empty(), other(later).heard(), "it was too long ago");
    run(5);
    assertTrue(other(later).isCutOff());
  }

  @Test
  void warnsSoonOfAStoreWithoutMarkIfTheRegionReportsHere() {
    Regions eu = node("eu", inEu, "us", new SimulatedStore(time::now), SECOND);
    run(300);
    us(SECOND);
    run(8);
    assertFalse(other(eu).isCutOff());
    run(6);
    assertTrue(other(eu).isCutOff());
    assertTrue(other(eu).trouble().orElseThrow().startsWith("its store has no mark"));
  }

  @Test
  void warnsSoonOfARegionThatHasStartedButDoesNotReportHere() {
    Regions eu = eu(SECOND);
    run(300);
    toEu.isCut = true;
    us(SECOND);
    run(8);
    assertFalse(other(eu).isCutOff());
    run(6);
    String trouble = other(eu).trouble().orElseThrow();
    assertTrue(trouble.matches("it hasn't reported here for 1\\d s, so .*"), trouble);
    assertTrue(other(eu).isCutOff());
  }

  @Test
  void warnsSoonIfTheStoreOfARegionThatIsStillToStartNoLongerAnswers() {
    Regions eu = eu(SECOND);
    run(300);
    try (LogLines log = new LogLines("io.weir")) {
      toUs.isCut = true;
      run(8);
      assertFalse(other(eu).isCutOff());
      run(6);
      assertTrue(other(eu).isCutOff());
      assertEquals(1, log.containing("Region us hasn't answered for 1").size());
      toUs.isCut = false;
      run(30);
      assertTrue(other(eu).isCutOff());
      assertEquals(List.of(), log.containing("reports here again"));
      us(SECOND);
      run(5);
      assertFalse(other(eu).isCutOff());
    }
  }

  @Test
  void oneReportOfManyNodesIsEnough() {
    Regions eu = eu(SECOND);
    for (int node = 0; node < 20; node++) {
      us(SECOND);
    }
    run(100);
    assertEquals(0, heard(eu), 3);
    toEu.isCut = true;
    run(30);
    assertEquals(30, heard(eu), 3);
  }

  /** All of them would otherwise write to the same row each second. */
  @Test
  void manyNodesTakeTurnsWithTheSignAndWithReadingIt() {
    Regions eu = eu(SECOND);
    for (int node = 0; node < 100; node++) {
      String name = "node-" + node;
      CutLink link = node == 0 ? toEu : new CutLink(euStore);
      links.add(link);
      LeasingStore store = node("us", usStore, "eu", link, SECOND).store();
      beat(store, name);
    }
    run(10);
    long before = signs();
    for (int second = 0; second < 60; second++) {
      run(1);
      assertEquals(0, heard(eu), 3);
    }
    long signs = signs() - before;
    assertTrue(signs >= 60 * 100 / 5 - 100 && signs <= 60 * 100 / 5 + 100, signs + " signs");
    links.forEach(each -> each.isCut = each != toEu);
    for (int second = 0; second < 60; second++) {
      run(1);
      assertEquals(0, heard(eu), 8);
      assertFalse(other(eu).isCutOff(), "one node still reports");
    }
  }

  private long signs() {
    return links.stream().mapToLong(each -> each.signs).sum();
  }

  /** Says each second that the node lives. */
  private void beat(LeasingStore store, String name) {
    Membership any = store.heartbeat(name).toCompletableFuture().join();
    assertTrue(any.live() > 0);
    time.after(1_000_000, () -> beat(store, name));
  }

  /** They ask only every five seconds, which is no outage of their store. */
  @Test
  void eachOfManyNodesWarnsOfARegionThatNoLongerReports() {
    List<Regions> nodes = new ArrayList<>();
    for (int node = 0; node < 40; node++) {
      Regions eu = eu(SECOND);
      beat(eu.store(), "node-" + node);
      nodes.add(eu);
    }
    us(SECOND);
    run(30);
    toEu.isCut = true;
    run(8);
    nodes.forEach(each -> assertFalse(other(each).isCutOff()));
    run(12);
    nodes.forEach(each -> assertTrue(other(each).isCutOff()));
    inEu.isCut = true;
    run(60);
    inEu.isCut = false;
    run(8);
    nodes.forEach(each -> assertTrue(other(each).isCutOff(), "only a report ends it"));
    toEu.isCut = false;
    run(10);
    nodes.forEach(each -> assertFalse(other(each).isCutOff()));
    inEu.isCut = true;
    toEu.isCut = true;
    run(60);
    inEu.isCut = false;
    run(7);
    nodes.forEach(each -> assertFalse(other(each).isCutOff(), "nobody could report"));
    toEu.isCut = false;
    run(30);
    nodes.forEach(each -> assertFalse(other(each).isCutOff()));
  }

  @Test
  void aNodeThatStartsLaterKnowsItAtOnce() {
    us(SECOND);
    run(2);
    eu(SECOND);
    run(10);
    toEu.isCut = true;
    run(30);
    Regions later = eu(SECOND);
    run(1);
    assertEquals(31, heard(later), 3);
  }

  @Test
  void warnsOnceOfARegionThatNoLongerReports() {
    Regions eu = eu(SECOND);
    us(SECOND);
    run(5);
    try (LogLines log = new LogLines("io.weir")) {
      toEu.isCut = true;
      run(8);
      assertFalse(other(eu).isCutOff());
      run(6);
      assertTrue(other(eu).isCutOff());
      String trouble = other(eu).trouble().orElseThrow();
      assertTrue(trouble.matches("it hasn't reported here for 1\\d s, so .*"), trouble);
      run(100);
      assertEquals(
          1, log.lines().stream().filter(each -> each.contains("us hasn't reported")).count());
      toEu.isCut = false;
      run(4);
      assertFalse(other(eu).isCutOff());
      assertEquals(Optional.empty(), other(eu).trouble());
      assertEquals(
          1, log.lines().stream().filter(each -> each.contains("us reports here again")).count());
    }
  }

  @Test
  void saysOnceThatARegionDoesNotAnswer() {
    Regions eu = eu(SECOND);
    us(SECOND);
    run(5);
    try (LogLines log = new LogLines("io.weir")) {
      toUs.isCut = true;
      run(9);
      assertFalse(other(eu).isCutOff());
      run(100);
      assertTrue(other(eu).isCutOff());
      assertEquals(
          1, log.lines().stream().filter(each -> each.contains("us hasn't answered")).count());
      toUs.isCut = false;
      run(3);
      assertFalse(other(eu).isCutOff());
      assertEquals(
          1, log.lines().stream().filter(each -> each.contains("us answers again")).count());
    }
  }

  @Test
  void doesNotBlameARegionWhileTheOwnStoreIsAway() {
    Regions eu = eu(SECOND);
    us(SECOND);
    run(5);
    inEu.isCut = true;
    run(60);
    assertFalse(other(eu).isCutOff());
    inEu.isCut = false;
    run(4);
    assertEquals(0, heard(eu), 3);
    assertFalse(other(eu).isCutOff());
  }

  @Test
  void doesNotBlameARegionForAnOutageOfTheOwnStore() {
    Regions eu = eu(SECOND);
    us(SECOND);
    run(5);
    try (LogLines log = new LogLines("io.weir")) {
      inEu.isCut = true;
      toEu.isCut = true;
      run(60);
      inEu.isCut = false;
      run(5);
      toEu.isCut = false;
      run(30);
      assertFalse(other(eu).isCutOff());
      assertEquals(List.of(), log.containing("us hasn't reported"));
      inEu.isCut = true;
      toEu.isCut = true;
      run(60);
      inEu.isCut = false;
      run(8);
      assertFalse(other(eu).isCutOff());
      run(6);
      assertTrue(other(eu).isCutOff());
      inEu.isCut = true;
      run(60);
      inEu.isCut = false;
      run(5);
      assertTrue(other(eu).isCutOff());
      assertEquals(List.of(), log.containing("us reports here again"));
    }
  }

  @Test
  void asksAgainAfterTheOwnStoreStoodStill() {
    Regions eu = eu(SECOND);
    us(SECOND);
    run(5);
    inEu.isStill = true;
    run(60);
    assertEquals(60, heard(eu), 3);
    assertFalse(other(eu).isCutOff(), "nobody knows");
    inEu.isStill = false;
    run(12);
    assertEquals(0, heard(eu), 3);
  }

  @Test
  void theOwnStoreMayLoseItsData() {
    Regions eu = eu(SECOND);
    us(SECOND);
    run(5);
    toEu.isCut = true;
    run(5);
    euStore.wipe();
    run(2);
    assertEquals(7, heard(eu), 3);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 30, 60})
  void aLongIntervalIsNoSilence(int seconds) {
    Duration interval = Duration.ofSeconds(seconds);
    Regions eu = eu(interval);
    time.run(interval.dividedBy(2));
    us(interval);
    run(3 * seconds);
    for (int turn = 0; turn < 20; turn++) {
      time.run(interval.dividedBy(3));
      assertFalse(other(eu).isCutOff());
      assertEquals(Optional.empty(), other(eu).trouble());
    }
    toEu.isCut = true;
    toUs.isCut = true;
    run(5 * seconds);
    assertTrue(other(eu).isCutOff());
  }
}
