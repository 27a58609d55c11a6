package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.Seeds;
import io.weir.simulation.oracle.Oracle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Periods as quotas have them: the node says which one a request belongs to. */
@ExtendWith(Quiet.class)
class PeriodTest {
  private static final Instant EDGE = Instant.parse("2026-03-15T23:00:00Z");
  private static final Duration MONTH = Duration.ofDays(31);
  private static final long MINUTE = 60_000_000;

  private static Policy period(Instant begin, long limit, OnStoreFailure away) {
    return Policy.builder("quota")
        .limit(limit)
        .period(begin, begin.plus(MONTH))
        .onStoreFailure(away)
        .build();
  }

  private static Policy last(long limit) {
    return period(EDGE.minus(MONTH), limit, OnStoreFailure.CLOSED);
  }

  private static Policy next(long limit) {
    return period(EDGE, limit, OnStoreFailure.CLOSED);
  }

  private static PermitRequest ask(Policy policy, long used) {
    return new PermitRequest(policy, Key.user("k"), 1, policy.limit(), used);
  }

  private static long edge() {
    return EDGE.getEpochSecond() * 1_000_000;
  }

  private static SimulatedCluster cluster(long seed, Duration beforeTheEdge) {
    return SimulatedCluster.builder()
        .seed(seed)
        .start(EDGE.minus(beforeTheEdge))
        .settings(
            new NodeSettings(
                Duration.ofMillis(100), Duration.ofMillis(100), 1_000, 3, OnStoreFailure.LOCAL))
        .build();
  }

  private static Decision decide(SimulatedCluster cluster, int node, PermitRequest ask) {
    List<Decision> decided = new ArrayList<>(1);
    cluster.request(node, List.of(ask), decided::add);
    for (int i = 0; decided.isEmpty() && i < 10_000; i++) {
      cluster.run(Duration.ofNanos(100_000));
    }
    return decided.get(0);
  }

  /** One node is a minute fast, one a minute slow: for two minutes they count in two periods. */
  @Test
  void eachPeriodHasItsLimitOnceWhateverTheClocksOfNodesSay() {
    Policy last = last(300);
    Policy next = next(200);
    for (long seed : Seeds.of(4).toArray()) {
      SimulatedCluster cluster = cluster(seed, Duration.ofMinutes(2));
      int mixed = 0;
      for (int i = 0; i < 2_400; i++) {
        int node = i % 3;
        boolean over = cluster.now() + (node - 1) * MINUTE >= edge();
        mixed += over != cluster.now() >= edge() ? 1 : 0;
        cluster.request(node, List.of(ask(over ? next : last, 0)), decision -> {});
        cluster.run(Duration.ofMillis(100));
      }
      Report report = cluster.report();
      assertEquals(List.of(), new Oracle(report, OnStoreFailure.CLOSED).violations());
      assertEquals(List.of(), report.ledger());
      assertEquals(0, report.degraded(), "no claim is turned away");
      assertEquals(300, admitted(report, last));
      assertEquals(200, admitted(report, next));
      assertTrue(mixed > 300, "clocks differ");
    }
  }

  private static long admitted(Report report, Policy policy) {
    return report.admissions().stream()
        .filter(each -> each.policy().spec().equals(policy.spec()))
        .mapToLong(Admission::permits)
        .sum();
  }

  @Test
  void aLeaseGoesBackAfterThePeriodHasEnded() {
    for (long seed : Seeds.of(4).toArray()) {
      SimulatedCluster cluster = cluster(seed, Duration.ofSeconds(2));
      for (int i = 0; i < 400; i++) {
        cluster.request(i % 2, List.of(ask(last(100_000), 0)), decision -> {});
        cluster.run(Duration.ofMillis(5));
      }
      assertFalse(cluster.idle(Duration.ZERO).isEmpty(), "no node held a lease");
      cluster.run(Duration.ofSeconds(3));
      assertTrue(cluster.now() > edge());
      assertEquals(Map.of(), cluster.idle(Duration.ZERO));
      Decision left = decide(cluster, 2, ask(last(100_000), 0));
      assertEquals(100_000 - 401, left.remaining(), "all unspent permits are there");
    }
  }

  @Test
  void aRefusalTellsWhenThePeriodEnds() {
    SimulatedCluster cluster = cluster(1, Duration.ofHours(1));
    assertTrue(decide(cluster, 0, ask(last(1), 0)).admitted());
    for (int node = 0; node < 3; node++) {
      Decision refused = decide(cluster, node, ask(last(1), 0));
      assertFalse(refused.admitted());
      long rest = edge() - cluster.now();
      long told = refused.retryAfter().toNanos() / 1_000;
      assertTrue(told >= rest && told <= rest + rest / 500, told + " µs, not " + rest);
    }
  }

  @Test
  void aStoreThatHasLostItsDataIsRightAgainWithTheFirstClaim() {
    for (long seed : Seeds.of(10).toArray()) {
      SimulatedCluster cluster = cluster(seed, Duration.ofDays(10));
      long used = 0;
      for (int i = 0; i < 62; i++) {
        used += decide(cluster, i % 3, ask(last(100), 0)).permits();
      }
      cluster.wipe(0);
      cluster.run(Duration.ofSeconds(1));
      Decision first = decide(cluster, (int) seed % 3, ask(last(100), used));
      assertTrue(first.admitted());
      assertEquals(100 - 62 - 1, first.remaining(), "neither forgotten nor counted twice");
      for (int i = 0; i < 100; i++) {
        used += decide(cluster, i % 3, ask(last(100), used)).permits();
      }
      assertEquals(100 - 1, used);
      assertEquals(List.of(), new Oracle(cluster.report(), OnStoreFailure.CLOSED).violations());
    }
  }

  /** Use that the ledger lacks is lost: the documented bound. */
  @Test
  void whatTheLedgerDoesntKnowIsLostWithTheData() {
    SimulatedCluster cluster = cluster(1, Duration.ofDays(10));
    for (int i = 0; i < 50; i++) {
      decide(cluster, i % 3, ask(last(100), 0));
    }
    cluster.wipe(0);
    cluster.run(Duration.ofSeconds(1));
    assertEquals(100 - 48 - 1, decide(cluster, 0, ask(last(100), 48)).remaining());
  }

  @Test
  void isRefusedWhileTheStoreIsAwayUnlessThePolicySaysOtherwise() {
    SimulatedCluster cluster = cluster(1, Duration.ofDays(10));
    cluster.run(Duration.ofSeconds(2));
    for (int node = 0; node < 3; node++) {
      cluster.cut(node, true);
    }
    Decision closed = decide(cluster, 0, ask(last(90), 0));
    assertFalse(closed.admitted());
    assertEquals(Reason.STORE_UNAVAILABLE, closed.reason());
    Policy local = period(EDGE.minus(MONTH), 90, OnStoreFailure.LOCAL);
    assertTrue(decide(cluster, 0, ask(local, 84)).admitted(), "a third of what is left");
    assertTrue(decide(cluster, 0, ask(local, 84)).admitted());
    assertFalse(decide(cluster, 0, ask(local, 84)).admitted());
    assertFalse(decide(cluster, 1, ask(local, 90)).admitted(), "nothing is left");
  }
}
