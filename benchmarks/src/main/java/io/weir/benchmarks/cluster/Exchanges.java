package io.weir.benchmarks.cluster;

import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many claims were sent to a store, by the name of their policy.
 *
 * <p>Safe for concurrent use.
 */
final class Exchanges {
  private final Map<String, LongAdder> claims = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> owed = new ConcurrentHashMap<>();

  long of(String policy) {
    return sum(claims, policy);
  }

  /** How many permits of them were admitted ahead of the store, those told twice twice. */
  long owed(String policy) {
    return sum(owed, policy);
  }

  private static long sum(Map<String, LongAdder> counts, String policy) {
    LongAdder count = counts.get(policy);
    return count == null ? 0 : count.sum();
  }

  private void note(Claim claim) {
    String policy = claim.bucket().shape().name();
    claims.computeIfAbsent(policy, any -> new LongAdder()).increment();
    owed.computeIfAbsent(policy, any -> new LongAdder()).add(claim.owed());
  }

  /** The same store, counted. */
  LeasingStore counting(LeasingStore store) {
    return new LeasingStore() {
      @Override
      public CompletionStage<List<Optional<Grant>>> settle(List<Claim> all) {
        all.forEach(Exchanges.this::note);
        return store.settle(all);
      }

      @Override
      public long minLifeMicros() {
        return store.minLifeMicros();
      }

      @Override
      public int lane(Bucket bucket) {
        return store.lane(bucket);
      }

      @Override
      public CompletionStage<Membership> heartbeat(String node) {
        return store.heartbeat(node);
      }

      @Override
      public CompletionStage<?> leave(String node) {
        return store.leave(node);
      }

      @Override
      public Set<Algorithm> algorithms() {
        return store.algorithms();
      }

      @Override
      public long size() {
        return store.size();
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }
}
