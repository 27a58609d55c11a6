package io.weir.benchmarks.decisions;

import io.github.bucket4j.ConsumptionProbe;
import io.weir.Decision;
import org.openjdk.jmh.annotations.Benchmark;

/** One decision about one caller, who is admitted. */
public class Keyed {
  /** Weir, from a lease. */
  @Benchmark
  public Decision weir(OnLease lease, Requests requests, Exchanges counted) {
    return requests.admitted(lease.take(requests.key()));
  }

  /** A bucket of Bucket4j for each caller. */
  @Benchmark
  public ConsumptionProbe bucket4j(Bucket4jPerKey buckets, Requests requests) {
    ConsumptionProbe probe = buckets.take(requests.text());
    requests.expect(probe.isConsumed());
    return probe;
  }

  /** The least there is to do. */
  @Benchmark
  public long floor(Floor floor, Requests requests) {
    long left = floor.take(requests.key());
    requests.expect(left >= 0);
    return left;
  }
}
