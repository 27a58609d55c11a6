package io.weir.benchmarks.cluster;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.Effort;
import io.weir.benchmarks.Report;
import io.weir.compat.redis.RedisServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Three clusters of ten nodes under three times the load that their limits allow, all at the same
 * time: Weir, Weir with an overshoot of 5 %, and Bucket4j {@code delaying}.
 *
 * <p>Confine to one thread.
 */
final class ClusterTrial implements AutoCloseable {
  /** Half a heartbeat more than any node takes to hear of any other. */
  private static final long TO_MEET = 3_500_000;

  private static final int PERMITS_PER_SECOND = 1_000;

  private final RedisServer redis = RedisServer.start();
  private final RedisServer other = RedisServer.start();
  private final Map<String, Cluster> clusters = new LinkedHashMap<>();
  private final List<Limit> limits;
  private final long ripeAt;
  private final long warmUp;
  private final long load;

  /** Nodes of all clusters, which meet and then wait until they may admit ahead of the store. */
  ClusterTrial(Effort effort) {
    int seconds = effort.of(1, 10, 60);
    limits =
        List.of(
            Limit.perSecond(Algorithm.FIXED_WINDOW, PERMITS_PER_SECOND, 1),
            Limit.perSecond(Algorithm.SLIDING_WINDOW, PERMITS_PER_SECOND, seconds));
    load = (long) seconds * effort.of(2_400_000, 2_400_000, 1_400_000);
    warmUp = effort.of(200_000, 3_000_000, 5_000_000);
    clusters.put("hard", new WeirCluster(redis.url(), "hard", 0));
    clusters.put("ahead", new WeirCluster(redis.url(), "ahead", 5));
    clusters.put("delaying", new DelayingCluster(other));
    clusters.values().forEach(this::meet);
    long toMeet = effort == Effort.TINY ? 0 : TO_MEET;
    ripeAt = Clock.micros() + limits.get(1).windowMicros() + toMeet;
  }

  private void meet(Cluster cluster) {
    for (int node = 0; node < Cluster.NODES; node++) {
      cluster.ask(node, limits.get(0), "meet");
    }
  }

  /** Waits until the nodes may admit ahead of the store, and puts them under load. */
  Map<String, List<LoadResult>> run(Report report) throws InterruptedException {
    while (Clock.micros() < ripeAt - warmUp) {
      LockSupport.parkNanos((ripeAt - warmUp - Clock.micros()) * 1_000);
    }
    report.progress("the same load on other keys for " + warmUp / 1_000 + " ms");
    underLoad("warm", warmUp);
    report.progress("load for " + load / 1_000_000 + " s");
    Busy busy = new Busy(redis, other);
    long ahead = Clock.aheadOfMonotonic();
    Map<String, List<LoadResult>> tallies = underLoad("hot", load);
    report.setting("Processors busy", busy.told());
    report.setting("Clock set meanwhile by", Math.abs(Clock.aheadOfMonotonic() - ahead) + " µs");
    return tallies;
  }

  private Map<String, List<LoadResult>> underLoad(String key, long micros)
      throws InterruptedException {
    Map<String, Crowd> crowds = new LinkedHashMap<>();
    clusters.forEach(
        (name, cluster) -> crowds.put(name, Crowd.start(cluster, limits, key, micros)));
    Map<String, List<LoadResult>> tallies = new LinkedHashMap<>();
    for (Map.Entry<String, Crowd> each : crowds.entrySet()) {
      tallies.put(each.getKey(), each.getValue().tallies());
    }
    return tallies;
  }

  @Override
  public void close() {
    clusters.values().forEach(Cluster::close);
    redis.close();
    other.close();
  }
}
