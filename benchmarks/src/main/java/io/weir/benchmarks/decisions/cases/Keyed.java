package io.weir.benchmarks.decisions.cases;

import io.github.bucket4j.ConsumptionProbe;
import io.weir.Decision;
import io.weir.Key;
import io.weir.benchmarks.decisions.peers.Bucket4jPerKey;
import io.weir.benchmarks.decisions.peers.Floor;
import io.weir.benchmarks.decisions.peers.GuavaPerKey;
import io.weir.benchmarks.decisions.peers.Resilience4jPerKey;
import io.weir.benchmarks.decisions.peers.SentinelPerKey;
import org.openjdk.jmh.annotations.Benchmark;

/** One decision about one caller. */
public class Keyed {
  /** Weir, from a lease. */
  @Benchmark
  public Decision weir(OnLease lease, RequestSequence requests, Exchanges counted) {
    return requests.admitted(lease.take(requests.key()));
  }

  /** Weir, from what the store said of an empty bucket. */
  @Benchmark
  public Decision refused(OnLease lease, RequestSequence requests, Exchanges counted) {
    return requests.refused(lease.take(requests.key()));
  }

  /** Weir, by as many policies as there are. */
  @Benchmark
  public Decision several(OnLease lease, RequestSequence requests, Exchanges counted) {
    return requests.admitted(lease.takeOfAll(requests.key()));
  }

  /** Weir, with a key that is made of a text that is new as well. */
  @Benchmark
  public Decision madeWeir(OnLease lease, RequestSequence requests, Exchanges counted) {
    return requests.admitted(lease.take(Key.of(requests.newText())));
  }

  /** Weir, counting in this process. */
  @Benchmark
  public Decision inprocess(InProcess limiter, RequestSequence requests) {
    return requests.admitted(limiter.take(requests.key()));
  }

  /** Returns a bucket of Bucket4j for each caller. */
  @Benchmark
  public ConsumptionProbe bucket4j(Bucket4jPerKey buckets, RequestSequence requests) {
    ConsumptionProbe probe = buckets.take(requests.text());
    requests.expect(probe.isConsumed());
    return probe;
  }

  /** Returns the same, by a text that is new. */
  @Benchmark
  public ConsumptionProbe madeBucket4j(Bucket4jPerKey buckets, RequestSequence requests) {
    ConsumptionProbe probe = buckets.take(requests.newText());
    requests.expect(probe.isConsumed());
    return probe;
  }

  /** Returns a limiter of Resilience4j for each caller. */
  @Benchmark
  public boolean resilience4j(Resilience4jPerKey limiters, RequestSequence requests) {
    boolean passed = limiters.take(requests.text());
    requests.expect(passed);
    return passed;
  }

  /** Returns a limiter of Guava for each caller. */
  @Benchmark
  public boolean guava(GuavaPerKey limiters, RequestSequence requests) {
    boolean passed = limiters.take(requests.text());
    requests.expect(passed);
    return passed;
  }

  /** Sentinel's flow control by parameter. */
  @Benchmark
  public boolean sentinel(SentinelPerKey flow, RequestSequence requests) {
    boolean passed = flow.take(requests.text());
    requests.expect(passed);
    return passed;
  }

  /** Returns the least there is to do. */
  @Benchmark
  public long floor(Floor floor, RequestSequence requests) {
    long left = floor.take(requests.key());
    requests.expect(left >= 0);
    return left;
  }

  /** Returns the machine's clock, which every limiter reads. */
  @Benchmark
  public long clock(RequestSequence requests) {
    requests.text();
    return System.nanoTime();
  }
}
