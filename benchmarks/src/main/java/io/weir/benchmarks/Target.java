package io.weir.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The target of a figure.
 *
 * <p>Immutable.
 *
 * @param atLeast whether more is better
 * @param bound the worst that will do
 * @param promised whether each round has to reach it, as a promise does; else their median, as of
 *     what is compared on a machine that is disturbed now and then
 */
public record Target(boolean atLeast, double bound, boolean promised) {
  /** Every figure that has one. */
  public static final Map<String, Target> ALL = all();

  private static Map<String, Target> all() {
    Map<String, Target> all = new LinkedHashMap<>();
    all.put("decisions.1key.vs_bucket4j", atLeast(4));
    all.put("decisions.100000keys.vs_bucket4j", atLeast(10));
    all.put("decisions.1key.vs_floor", atMost(1.5));
    all.put("decisions.100000keys.vs_floor", atMost(1.5));
    all.put("decisions.bytes", atMost(48));
    all.put("decisions.refused.vs_admitted", atMost(1.1));
    all.put("decisions.inprocess.vs_bucket4j", atLeast(1.5));
    all.put("cold.1thread.vs_script", atLeast(0.75));
    all.put("cold.8threads.vs_script", atLeast(0.9));
    all.put("cold.64threads.vs_script", atLeast(1.3));
    all.put("cold.8threads.fixed_vs_script", atLeast(0.9));
    all.put("cold.64threads.fixed_vs_script", atLeast(1.3));
    all.put("cold.1thread.p50_vs_script", atMost(1.4));
    all.put("cold.1thread.cpu_vs_script", atMost(1.6));
    all.put("slow.100_per_min.1node", atMost(0.35));
    all.put("slow.100_per_min.4nodes", atMost(0.7));
    all.put("slow.1000_per_min.1node", atMost(0.05));
    all.put("slow.1000_per_min.4nodes", atMost(0.18));
    all.put("day.without_io", atLeast(50));
    all.put("day.added_p99", atMost(1));
    all.put("day.overshoot", neverMore(0));
    all.put("redis.hot.vs_script", atLeast(30));
    all.put("redis.hot.vs_delaying", atLeast(1));
    all.put("redis.hot.exchanges_per_request", atMost(0.02));
    all.put("redis.ahead.vs_script", atLeast(3));
    all.put("redis.settled.vs_incr", atLeast(0.25));
    for (String surroundings : new String[] {"postgres", "postgres.synchronous", "postgres.1ms"}) {
      all.put(surroundings + ".hot.vs_upsert", atLeast(100));
      all.put(surroundings + ".hot.vs_select_for_update", atLeast(100));
      all.put(surroundings + ".hot.vs_advisory_lock", atLeast(100));
      all.put(surroundings + ".cold.1thread.vs_upsert", atLeast(0.8));
      all.put(surroundings + ".cold.8threads.vs_upsert", atLeast(1.3));
      all.put(surroundings + ".cold.64threads.vs_upsert", atLeast(3));
    }
    all.put("cluster.hard.overshoot", neverMore(0));
    all.put("cluster.hard.of_no_window", neverMore(0));
    all.put("cluster.ahead.overshoot", neverMore(5));
    all.put("cluster.hard.used", neverLess(99.5));
    for (String server : new String[] {"tomcat", "jetty", "jersey"}) {
      all.put("http." + server + ".cpu_added_vs_free", atMost(0.1));
      all.put("http." + server + ".bytes_added", atMost(800));
      all.put("http." + server + ".ietf.cpu_added_vs_free", atMost(0.05));
      all.put("http." + server + ".rules.cpu_more_us", atMost(2));
    }
    all.put("http.tomcat.refused_vs_admitted", atMost(1));
    all.put("http.jersey.refused_vs_admitted", atMost(1));
    all.put("http.tomcat.refused_bytes", atMost(1_800));
    all.put("memory.bytes_per_bucket", atMost(200));
    all.put("memory.flood.throughput_ratio", atLeast(0.8));
    all.put("rules.cached.added_ns", atMost(1_000));
    all.put("rules.unmatched.added_ns", atMost(50));
    all.put("rules.reload.ms", atMost(1_000));
    all.put("rules.usage.written_ms", atMost(4_000));
    all.put("rules.usage.dropped", neverMore(0));
    all.put("service.reduce.pipelined.vs_lua", atLeast(2));
    all.put("service.throttle.pipelined.vs_lua", atLeast(2));
    all.put("service.reduce.single.vs_lua", atLeast(1));
    all.put("service.reduce.single.p99_vs_lua", atMost(1));
    all.put("service.grpc.vs_constant", atLeast(0.85));
    all.put("service.check.vs_constant", atLeast(0.9));
    all.put("service.rocksdb.vs_memory", atLeast(0.7));
    all.put("service.rocksdb.10m", atLeast(0.5));
    all.put("service.rocksdb.10m_lost", neverMore(0));
    all.put("service.p99_ms", atMost(5));
    all.put("startup.added_ms", atMost(300));
    all.put("soak.overshoot", neverMore(0));
    all.put("soak.overshoot_after_loss", neverMore(0));
    all.put("soak.failed", neverMore(0));
    return Map.copyOf(all);
  }

  private static Target atLeast(double bound) {
    return new Target(true, bound, false);
  }

  private static Target atMost(double bound) {
    return new Target(false, bound, false);
  }

  private static Target neverLess(double bound) {
    return new Target(true, bound, true);
  }

  private static Target neverMore(double bound) {
    return new Target(false, bound, true);
  }

  /** Returns whether a figure reaches it. */
  boolean metBy(Figure figure) {
    if (promised) {
      return atLeast ? figure.low() >= bound : figure.high() <= bound;
    }
    return atLeast ? figure.value() >= bound : figure.value() <= bound;
  }

  /**
   * Returns whether a figure is judged by its median, although some of its rounds reach the target
   * and others don't.
   */
  boolean isCrossedBy(Figure figure) {
    boolean low = atLeast ? figure.low() >= bound : figure.low() <= bound;
    boolean high = atLeast ? figure.high() >= bound : figure.high() <= bound;
    return !promised && low != high;
  }

  @Override
  public String toString() {
    return (atLeast ? "≥ " : "≤ ") + Figure.number(bound);
  }
}
