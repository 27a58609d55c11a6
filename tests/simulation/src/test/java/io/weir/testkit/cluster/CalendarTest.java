package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.simulation.ForwardingStore;
import io.weir.simulation.oracle.Oracle;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes whose clocks differ by minutes, and their time zone data by an hour, across midnight. */
@ExtendWith(Quiet.class)
@OneDayIn(2)
class CalendarTest {
  private static final long HOUR = 3_600_000_000L;
  private static final long MINUTE = 60_000_000;
  private static final CalendarWindow DAYS = CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.UTC);
  private static final Instant MIDNIGHT = Instant.parse("2026-03-02T00:00:00Z");
  private static final long EDGE = MIDNIGHT.getEpochSecond() * 1_000_000;

  /** Names other windows than the node does, and counts what the store says to that. */
  private static final class Renamed extends ForwardingStore {
    private final BiFunction<Claim, Integer, Claim> naming;
    private final int node;
    private long otherWindows;

    Renamed(LeasingStore store, int node, BiFunction<Claim, Integer, Claim> naming) {
      super(store);
      this.node = node;
      this.naming = naming;
    }

    @Override
    public CompletionStage<List<Optional<Grant>>> execute(
        int partition, Epoch epoch, List<Claim> claims) {
      List<Claim> renamed = claims.stream().map(each -> naming.apply(each, node)).toList();
      return super.execute(partition, epoch, renamed)
          .whenComplete(
              (grants, failure) -> {
                if (grants != null) {
                  otherWindows +=
                      grants.stream().filter(each -> each.orElseThrow().isOfOtherWindow()).count();
                }
              });
    }
  }

  private static Policy daily(long limit) {
    return Policy.builder("daily").limit(limit).window(1, ChronoUnit.DAYS).zone("UTC").build();
  }

  /** The windows of a node whose data has each edge an hour earlier or later. */
  private static Claim shifted(Claim claim, long now, long by) {
    return claim.inWindow(DAYS.begin(now - by) + by, DAYS.end(now - by) + by);
  }

  @Test
  void nodesWithOtherTimeZoneDataNeverGetMoreThanTheLimitInAnyWindow() {
    int limit = 1_500;
    Seeds.of(4)
        .forEach(
            seed -> {
              SimulatedCluster[] built = new SimulatedCluster[1];
              LongSupplier now = () -> built[0].now();
              built[0] =
                  cluster(
                      seed, (claim, node) -> shifted(claim, now.getAsLong(), (node - 1) * HOUR));
              SimulatedCluster cluster = built[0];
              cluster.run(Duration.ofHours(4));
              Report report = cluster.report();
              assertEquals(List.of(), report.ledger());
              Map<Long, Long> windows = new TreeMap<>();
              long last = 0;
              for (Admission each : report.admissions()) {
                assertFalse(each.degraded());
                assertTrue(each.stamp() >= last, "no window begins before the last one has ended");
                assertTrue(each.time() < each.stamp(), "nor is an expired one spent from");
                last = each.stamp();
                windows.merge(each.stamp(), each.permits(), Long::sum);
              }
              windows.values().forEach(used -> assertTrue(used <= limit, windows::toString));
              // The node that opens a window decides its end; at an hour all three agree on the
              // next.
              assertTrue(windows.size() >= 2 && windows.size() <= 4, windows::toString);
              assertEquals(limit, windows.values().iterator().next(), "all of the first is used");
            });
  }

  private static SimulatedCluster cluster(long seed, BiFunction<Claim, Integer, Claim> naming) {
    AtomicInteger nodes = new AtomicInteger();
    return SimulatedCluster.builder()
        .seed(seed)
        .start(MIDNIGHT.minus(Duration.ofHours(2)))
        .settings(
            new NodeSettings(
                Duration.ofSeconds(1), Duration.ofMillis(100), 100_000, 3, OnStoreFailure.LOCAL))
        .link(store -> new Renamed(store, nodes.getAndIncrement(), naming))
        .load(Load.poisson(Caller.of(daily(1_500), "all"), 1))
        .build();
  }

  /** The clocks of nodes are up to two minutes off: each learns the time by one exchange or two. */
  @Test
  void clocksThatAreMinutesOffCostAFewExchanges() {
    long most = 0;
    long sum = 0;
    for (long seed : Seeds.of(6, 20).toArray()) {
      List<Renamed> links = new ArrayList<>();
      List<Load> loads = new ArrayList<>();
      for (int caller = 0; caller < 40; caller++) {
        loads.add(Load.poisson(Caller.of(daily(20), "caller " + caller), 0.5));
      }
      SimulatedCluster cluster =
          SimulatedCluster.builder()
              .seed(seed)
              .start(MIDNIGHT.minusSeconds(60))
              .link(
                  store -> {
                    links.add(new Renamed(store, links.size(), (claim, node) -> claim));
                    return links.get(links.size() - 1);
                  })
              .load(Load.together(loads))
              .build();
      cluster.run(Duration.ofMinutes(2));
      Report report = cluster.report();
      assertEquals(List.of(), new Oracle(report, OnStoreFailure.LOCAL).violations());
      assertEquals(0, report.degraded());
      assertTrue(report.admissions().stream().anyMatch(each -> each.time() < EDGE));
      assertTrue(report.admissions().stream().anyMatch(each -> each.time() >= EDGE));
      for (Renamed link : links) {
        most = Math.max(most, link.otherWindows);
        sum += link.otherWindows;
      }
    }
    assertTrue(sum > 0, "no clock was off");
    assertTrue(most <= 6, most + " claims of 40 callers named another window");
  }

  @Test
  void whoIsRefusedIsToldWhenTheWindowEndsAndAdmittedThen() {
    Policy policy = daily(5);
    for (long seed : Seeds.of(6, 20).toArray()) {
      SimulatedCluster cluster =
          SimulatedCluster.builder().seed(seed).start(MIDNIGHT.minusSeconds(40)).build();
      cluster.run(Duration.ofSeconds(2));
      PermitRequest ask = new PermitRequest(policy, Key.of("k"), 1, 5);
      for (int i = 0; i < 5; i++) {
        assertTrue(decide(cluster, i % 3, ask).admitted());
      }
      for (int node = 0; node < 3; node++) {
        Decision refused = decide(cluster, node, ask);
        assertFalse(refused.admitted());
        long rest = EDGE - cluster.now();
        long retry = refused.retryAfter().toNanos() / 1_000;
        assertTrue(retry >= rest && retry <= rest + rest / 500, retry + " µs, not " + rest);
      }
      Decision refused = decide(cluster, 0, ask);
      cluster.run(refused.retryAfter());
      assertTrue(cluster.now() >= EDGE);
      assertTrue(decide(cluster, (int) (seed % 3), ask).admitted(), refused::toString);
    }
  }

  /** Admissions while the store is down count in the window that they were made in. */
  @Test
  void whatWasAdmittedWithoutTheStoreIsChargedToItsOwnWindowOnly() {
    assertEquals(10 - 5 - 1, leftAfterFiveWithoutTheStore(60));
    assertEquals(10 - 1, leftAfterFiveWithoutTheStore(10));
  }

  /** The permits left for a sixth request, half a minute after the store was down for five. */
  private static long leftAfterFiveWithoutTheStore(int secondsBeforeMidnight) {
    SimulatedCluster[] built = new SimulatedCluster[1];
    LongSupplier now = () -> built[0] == null ? EDGE - MINUTE : built[0].now();
    built[0] =
        SimulatedCluster.builder()
            .nodes(1)
            .drift(0)
            .start(MIDNIGHT.minusSeconds(secondsBeforeMidnight))
            .assembly(parts -> withTimeOfDay(parts, now).limiter())
            .build();
    SimulatedCluster cluster = built[0];
    cluster.run(Duration.ofSeconds(2));
    cluster.cut(0, true);
    cluster.run(Duration.ofSeconds(1));
    PermitRequest ask = new PermitRequest(daily(10), Key.of("k"), 1, 10);
    for (int i = 0; i < 5; i++) {
      Decision decision = decide(cluster, 0, ask);
      assertTrue(decision.admitted() && decision.degraded());
    }
    cluster.run(Duration.ofSeconds(15));
    cluster.cut(0, false);
    cluster.run(Duration.ofSeconds(10));
    Decision sixth = decide(cluster, 0, ask);
    assertFalse(sixth.degraded());
    return sixth.remaining();
  }

  /** With a clock that shows the store's time of day. */
  private static NodeParts withTimeOfDay(NodeParts parts, LongSupplier now) {
    Ticker ticker =
        new Ticker() {
          @Override
          public long nanoTime() {
            return parts.ticker().nanoTime();
          }

          @Override
          public long epochMicros() {
            return now.getAsLong();
          }
        };
    return new NodeParts(
        parts.name(),
        parts.settings(),
        parts.store(),
        ticker,
        parts.scheduler(),
        parts.load(),
        parts.metrics());
  }

  private static Decision decide(SimulatedCluster cluster, int node, PermitRequest ask) {
    List<Decision> decided = new ArrayList<>(1);
    cluster.request(node, List.of(ask), decided::add);
    for (int i = 0; decided.isEmpty() && i < 10_000; i++) {
      cluster.run(Duration.ofNanos(100_000));
    }
    return decided.get(0);
  }
}
