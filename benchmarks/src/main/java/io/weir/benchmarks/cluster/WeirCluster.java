package io.weir.benchmarks.cluster;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.internal.engine.StoreLocator;
import io.weir.internal.permits.RequestDecision;
import io.weir.store.LeasingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Nodes that limit by Weir, set up as it comes. */
final class WeirCluster implements Cluster {
  private static final long STORE_STAMP = (1L << 52) - 1;

  private final int overshoot;
  private final PolicyClaimCounts exchanges = new PolicyClaimCounts();
  private final List<RateLimiter> nodes = new ArrayList<>();
  private final Map<Limit, Policy> policies = new ConcurrentHashMap<>();

  /** Nodes under a prefix of their own, which know of each other. */
  WeirCluster(String redis, String prefix, int overshoot) {
    this.overshoot = overshoot;
    for (int i = 0; i < NODES; i++) {
      nodes.add(RateLimiter.builder().store(store(redis, prefix, exchanges)).build());
    }
  }

  /** Returns the store that an address names, with its exchanges counted. */
  static LeasingStore store(String redis, String prefix, PolicyClaimCounts exchanges) {
    UnaryOperator<String> settings = name -> name.equals("weir.prefix") ? prefix : "";
    return exchanges.counting((LeasingStore) StoreLocator.open(redis, settings, Ticker.system()));
  }

  @Override
  public Answer ask(int node, Limit limit, String key) {
    Policy policy = policies.computeIfAbsent(limit, each -> each.policy(overshoot));
    return answer(nodes.get(node).tryAcquire(policy, Key.of(key)));
  }

  /** Returns what a decision says, with the number of the fixed window that was charged. */
  static Answer answer(Decision decision) {
    long stamp = RequestDecision.cast(decision).stamp();
    // The store's stamp is in the lowest bits: twice the window, and one more for a far lease.
    return new Answer(decision.admitted(), decision.degraded(), (stamp & STORE_STAMP) >> 1);
  }

  @Override
  public boolean marks() {
    return true;
  }

  @Override
  public long exchanges(Limit limit) {
    return exchanges.of(limit.word());
  }

  @Override
  public long ahead(Limit limit) {
    return exchanges.debt(limit.word());
  }

  @Override
  public void close() {
    nodes.forEach(RateLimiter::close);
  }
}
