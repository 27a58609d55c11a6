package io.weir.benchmarks.decisions.cases;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.benchmarks.decisions.peers.CallerNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A limiter over a store elsewhere, which every caller has a lease of; the flushes that top them up
 * run meanwhile, as they do in an application.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls start()
public class OnLease {
  /** The number of policies that decide each request. */
  @Param("1")
  public int policies = 1;

  /** Permits a day. */
  @Param("1000000000")
  public long limit = CallerNames.LIMIT;

  /** The interval at which leases are topped up. */
  @Param("1000")
  public int flushMillis = 1_000;

  /** The store. */
  @Param("redis")
  public String store = "redis";

  private List<Policy> all;
  private Policy first;
  private Supplied supplied;
  private RateLimiter limiter;

  /** Starts the store, and takes a lease for everybody. */
  @Setup
  public void start(CallerNames callers) {
    all = IntStream.range(0, policies).mapToObj(this::policy).toList();
    first = all.get(0);
    supplied = Supplied.by(store);
    limiter =
        RateLimiter.builder()
            .store(supplied.store())
            .cacheBuckets((long) policies * callers.room())
            .storeTimeout(Supplied.PATIENCE)
            .flushInterval(Duration.ofMillis(flushMillis))
            .build();
    all.forEach(policy -> lease(policy, callers));
  }

  private void lease(Policy policy, CallerNames callers) {
    if (store.equals("granting")) {
      Leasing.leaseAtOnce(limiter, policy, callers);
    } else {
      Leasing.lease(limiter, policy, callers);
    }
  }

  private Policy policy(int number) {
    return Policy.builder("p" + number).limit(limit).window(Duration.ofDays(1)).build();
  }

  /** Stops both. */
  @TearDown
  public void stop() {
    limiter.close();
    supplied.close();
  }

  CountedStore store() {
    return supplied.store();
  }

  Decision take(Key key) {
    return limiter.tryAcquire(first, key);
  }

  /** As an adapter asks all policies of an endpoint at once. */
  Decision takeOfAll(Key key) {
    List<PermitRequest> asks = new ArrayList<>(all.size());
    for (Policy policy : all) {
      asks.add(new PermitRequest(policy, key));
    }
    return limiter.tryAcquire(asks);
  }
}
