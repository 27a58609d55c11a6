package io.weir.benchmarks.decisions.cases;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.benchmarks.decisions.peers.CallerNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Takes leases for all callers before anything is measured. */
final class Leasing {
  private static final int TOGETHER = 200;
  private static final long AHEAD = 1_000;

  private Leasing() {}

  /** Takes a lease for everybody, or what there is where that is less. */
  static void lease(RateLimiter limiter, Policy policy, CallerNames callers) {
    IntStream.rangeClosed(0, (callers.keys - 1) / TOGETHER)
        .parallel()
        .map(group -> group * TOGETHER)
        .mapToObj(from -> group(callers, from))
        .forEach(group -> lease(limiter, policy, group));
  }

  /** The same from a store that answers at once, so that requests needn't wait for it together. */
  static void leaseAtOnce(RateLimiter limiter, Policy policy, CallerNames callers) {
    IntStream.range(0, callers.keys)
        .parallel()
        .mapToObj(number -> limiter.tryAcquire(policy, Key.of(CallerNames.text(number)), AHEAD))
        .forEach(decision -> keep(limiter, decision, AHEAD));
  }

  private static List<Key> group(CallerNames callers, int from) {
    return IntStream.range(from, Math.min(callers.keys, from + TOGETHER))
        .mapToObj(number -> Key.of(CallerNames.text(number)))
        .toList();
  }

  // Refunded permits stay in the lease, from where flushes give back the unused ones.
  private static void lease(RateLimiter limiter, Policy policy, List<Key> group) {
    long permits = Math.min(AHEAD, policy.limit());
    List<CompletableFuture<Decision>> asked = new ArrayList<>(group.size());
    for (Key key : group) {
      PermitRequest ask = new PermitRequest(policy, key, permits, policy.limit());
      asked.add(limiter.tryAcquireAsync(List.of(ask)).toCompletableFuture());
    }
    asked.forEach(each -> keep(limiter, each.join(), permits));
  }

  private static void keep(RateLimiter limiter, Decision decision, long permits) {
    if (!decision.admitted() || decision.degraded()) {
      throw new IllegalStateException("no lease: " + decision);
    }
    if (permits == AHEAD) {
      limiter.refund(decision);
    }
  }
}
