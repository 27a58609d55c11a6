package io.weir.benchmarks.cluster;

import io.weir.simulation.ForwardingStore;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the claims that are sent to a store, by the name of their policy.
 *
 * <p>Safe for concurrent use.
 */
public final class PolicyClaimCounts {
  private final Map<String, LongAdder> claims = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> debt = new ConcurrentHashMap<>();

  /** None yet. */
  public PolicyClaimCounts() {}

  /** Returns the number of claims for a policy. */
  public long of(String policy) {
    return sum(claims, policy);
  }

  /**
   * Returns the number of permits admitted ahead of the store; those reported twice count twice.
   */
  long debt(String policy) {
    return sum(debt, policy);
  }

  private static long sum(Map<String, LongAdder> counts, String policy) {
    LongAdder count = counts.get(policy);
    return count == null ? 0 : count.sum();
  }

  private void note(Claim claim) {
    String policy = claim.bucket().spec().name();
    claims.computeIfAbsent(policy, any -> new LongAdder()).increment();
    debt.computeIfAbsent(policy, any -> new LongAdder()).add(claim.debt());
  }

  /** Returns the same store, counted. */
  public LeasingStore counting(LeasingStore store) {
    return new ForwardingStore(store) {
      @Override
      public CompletionStage<List<Optional<Grant>>> execute(
          int partition, Epoch epoch, List<Claim> all) {
        all.forEach(PolicyClaimCounts.this::note);
        return super.execute(partition, epoch, all);
      }
    };
  }
}
