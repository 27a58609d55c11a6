package io.weir.testkit.mutants;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.simulation.oracle.Oracle;
import io.weir.testkit.cluster.ClusterBuilder;
import io.weir.testkit.cluster.NodeSettings;
import io.weir.testkit.cluster.Report;
import io.weir.testkit.cluster.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A simulated cluster in which one thing is tried, and what was seen to be broken in it.
 *
 * <p>Confine to one thread.
 */
final class Lab {
  static final Duration FLUSH = NodeSettings.defaults().flushInterval();

  final SimulatedCluster cluster;
  private final List<String> broken = new ArrayList<>();

  Lab(ClusterBuilder builder) {
    cluster = builder.build();
  }

  static ClusterBuilder cluster(long seed, int nodes) {
    return SimulatedCluster.builder().seed(seed).nodes(nodes).settings(settings(100, 100_000));
  }

  static NodeSettings settings(int timeoutMillis, int maxBuckets) {
    Duration timeout = Duration.ofMillis(timeoutMillis);
    return new NodeSettings(FLUSH, timeout, maxBuckets, 1, OnStoreFailure.LOCAL);
  }

  static Policy policy(Algorithm algorithm, long limit, Duration window) {
    return Policy.builder("lab").limit(limit).window(window).algorithm(algorithm).build();
  }

  static Duration millis(long number) {
    return Duration.ofMillis(number);
  }

  /** Lets a node be asked again and again; how many permits it admits, but for late decisions. */
  long ask(int node, Policy policy, String who, int requests, Duration within) {
    return ask(node, 1, policy, who, requests, within);
  }

  /** Lets several nodes be asked in turn. */
  long ask(int node, int nodes, Policy policy, String who, int requests, Duration within) {
    return ask(node, nodes, new PermitRequest(policy, Key.of(who)), requests, within);
  }

  /** The same for a caller that is known to have used some. */
  long ask(int node, int nodes, PermitRequest ask, int requests, Duration within) {
    long[] admitted = {0};
    for (int i = 0; i < requests; i++) {
      int next = node + i % nodes;
      cluster.request(next, List.of(ask), decision -> admitted[0] += permits(decision));
      cluster.run(within.dividedBy(requests));
    }
    return admitted[0];
  }

  private static long permits(Decision decision) {
    return decision.admitted() ? decision.permits() : 0;
  }

  void rest(Duration time) {
    cluster.run(time);
  }

  /** Notes that a promise is broken unless something holds. */
  void promise(String name, boolean holds, String otherwise) {
    if (!holds) {
      broken.add(name + ": " + otherwise);
    }
  }

  void most(String name, long most, long is) {
    promise(name, is <= most, is + " is more than " + most);
  }

  void least(String name, long least, long is) {
    promise(name, is >= least, is + " is less than " + least);
  }

  /** No more requests: after a while no live lease may be held, and nothing owed. */
  void tail(Duration time) {
    cluster.calm();
    cluster.run(time);
    promise("idle", cluster.idle(time).isEmpty(), "still held: " + cluster.idle(time));
    promise("untold", cluster.untold() == 0, cluster.untold() + " permits never reported");
  }

  /** The same of one caller alone. */
  void tail(Duration time, String who) {
    cluster.run(time);
    String key = Key.of(who).encoded();
    boolean holds =
        cluster.idle(time).keySet().stream().anyMatch(each -> each.encodedKey().equals(key));
    promise("idle", !holds, "still held: " + cluster.idle(time));
  }

  /** The violations found by the oracle, and those noted. */
  List<String> verdict() {
    Report report = cluster.report();
    if (report.admissions().isEmpty() || report.exchanges() == 0) {
      throw new IllegalStateException(
          "nothing happened, so nothing is proven: " + report.requests());
    }
    List<String> all = new ArrayList<>();
    new Oracle(report, OnStoreFailure.LOCAL)
        .violations()
        .forEach(each -> all.add(each.promise() + ": " + each.what()));
    all.addAll(broken);
    return all;
  }
}
