package io.weir.testkit.cluster;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.simulation.oracle.Oracle;
import io.weir.simulation.oracle.Violation;
import io.weir.store.LeasingStore;
import io.weir.testkit.store.GrantFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One cluster that a seed draws, run through its load and its faults, then calmed, probed and
 * closed; and what the oracle says of it.
 */
final class SimulationRun {
  private static final long MINUTE = 60_000_000;

  /** Caches of so many buckets lose debts of evicted ones: their queue is as short. */
  private static final int FEW = 100;

  private final long seed;
  private final Scenario scenario;
  private final ClusterBuilder builder;
  private final List<Violation> violations = new ArrayList<>();
  private Duration timeout;
  private @Nullable SimulatedCluster cluster;

  private SimulationRun(long seed) {
    this.seed = seed;
    this.scenario = new Scenario(seed);
    this.builder = scenario.cluster(seed);
    this.timeout = scenario.settings.storeTimeout();
  }

  static SimulationRun of(long seed) {
    return new SimulationRun(seed);
  }

  /** With limiters of another make. */
  SimulationRun assembly(NodeParts.Assembly assembly) {
    builder.assembly(assembly);
    return this;
  }

  /**
   * With a store that is so far away, to and fro, whose silence nodes know, and decisions that wait
   * 100 ms for it: longer while it sends answers.
   */
  SimulationRun away(Duration roundTrip) {
    NodeSettings drawn = scenario.settings;
    Duration tenth = Duration.ofMillis(100);
    timeout = tenth.multipliedBy(ExtendableTimeout.MAX_TIMES);
    builder.link(store -> new KnownSilence(store, this::now));
    builder
        .network(roundTrip, Duration.ofNanos(300_000))
        .settings(
            new NodeSettings(
                drawn.flushInterval(),
                tenth,
                drawn.maxBuckets(),
                drawn.nodes(),
                drawn.onStoreFailure()));
    return this;
  }

  /** With something between the nodes and the network. */
  SimulationRun link(UnaryOperator<LeasingStore> wrapper) {
    builder.link(wrapper);
    return this;
  }

  /** With a store that makes a mistake. */
  SimulationRun storeFault(GrantFault fault) {
    builder.storeFault(fault);
    return this;
  }

  Scenario scenario() {
    return scenario;
  }

  SimulationReport run() {
    cluster = builder.build();
    cluster.run(scenario.duration());
    Report loaded = cluster.report();
    cluster.calm();
    execute(cluster);
    if (!scenario.followsLoad() && scenario.policy.overshoot() == 0 && !scenario.calendar) {
      probe(cluster);
    }
    cluster.close();
    cluster.run(Duration.ofSeconds(1));
    judge(cluster.report());
    return new SimulationReport(
        seed, scenario, loaded, use(loaded), List.copyOf(violations), cluster.events());
  }

  private long now() {
    return Objects.requireNonNull(cluster).now();
  }

  private OptionalDouble use(Report report) {
    return scenario.comparable()
        ? new Oracle(report, scenario.settings.onStoreFailure()).use()
        : OptionalDouble.empty();
  }

  /** Without load and faults everything comes home. */
  private void execute(SimulatedCluster cluster) {
    Duration flush = scenario.settings.flushInterval();
    cluster.run(flush.multipliedBy(4).plusSeconds(1));
    if (cluster.debt() > 0 && scenario.settings.maxBuckets() > FEW) {
      broken("debts", cluster.debt() + " permits not charged by the store");
    }
    cluster.run(flush.multipliedBy(36).plusSeconds(3));
    cluster
        .idle(flush.multipliedBy(14).plusSeconds(1))
        .forEach((bucket, permits) -> broken("idle", permits + " permits of " + bucket + " held"));
  }

  /**
   * A refused caller that comes back alone, at the retry time of its refusal, is admitted.
   *
   * <p>Windows of the calendar are left out, since they may last for hours yet; see {@code
   * CalendarTest}. Policies with an overshoot are left out. What other nodes admitted ahead of the
   * store is charged when their debts arrive, which can be after a caller got its retry time: that
   * time is then too early by what was borrowed meanwhile, at most {@code overshoot} percent of the
   * limit, which no node could know. Those that follow the load are left out as well, since their
   * effective limit changes with the load of a node.
   */
  private void probe(SimulatedCluster cluster) {
    long window = scenario.policy.spec().windowMicros();
    for (int i = 0; i < (window > MINUTE ? 1 : 3); i++) {
      int node = (int) (Math.floorMod(seed + i * 5L, (long) cluster.nodes()));
      long permits = Math.max(1, Math.min(scenario.cost, scenario.policy.burstFor(scenario.limit)));
      PermitRequest ask =
          new PermitRequest(scenario.policy, Key.of("k" + i % 2), permits, scenario.limit);
      refusal(cluster, node, ask).ifPresent(refused -> comeBack(cluster, node, ask, refused));
    }
  }

  private java.util.Optional<Decision> refusal(
      SimulatedCluster cluster, int node, PermitRequest ask) {
    for (int i = 0; i < 20_000; i++) {
      Decision decision = decide(cluster, node, ask);
      if (decision.degraded()) {
        broken("exact again", "degraded although the store is there: " + decision);
        return java.util.Optional.empty();
      }
      if (!decision.admitted()) {
        return java.util.Optional.of(decision);
      }
    }
    return java.util.Optional.empty();
  }

  private void comeBack(SimulatedCluster cluster, int node, PermitRequest ask, Decision refused) {
    cluster.run(refused.retryAfter());
    Decision second = decide(cluster, node, ask);
    if (!second.admitted()) {
      broken("retry", "refused at retryAfter: " + refused + ", then " + second);
    }
  }

  private static Decision decide(SimulatedCluster cluster, int node, PermitRequest ask) {
    List<Decision> decided = new ArrayList<>(1);
    cluster.request(node, List.of(ask), decided::add);
    for (int i = 0; decided.isEmpty() && i < 10_000; i++) {
      cluster.run(Duration.ofNanos(100_000));
    }
    return decided.get(0);
  }

  private void judge(Report report) {
    Oracle oracle = new Oracle(report, scenario.settings.onStoreFailure());
    violations.addAll(oracle.violations());
    if (scenario.settings.maxBuckets() > FEW) {
      violations.addAll(oracle.onTopOfGrants());
    }
    long longest = timeout.toNanos() / 1_000;
    if (report.longestWaitMicros() > longest + longest / 1_000 + 1) {
      broken("waiting", "a decision took " + report.longestWaitMicros() + " µs");
    }
    if (report.undecided() > 0 || report.failed() > 0) {
      broken("waiting", report.undecided() + " undecided, " + report.failed() + " failed");
    }
    if (report.mostBuckets() > scenario.settings.maxBuckets() + 1) {
      broken("memory", report.mostBuckets() + " buckets held");
    }
  }

  private void broken(String promise, String what) {
    violations.add(new Violation(promise, what));
  }
}
