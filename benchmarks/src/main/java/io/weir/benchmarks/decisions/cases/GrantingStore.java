package io.weir.benchmarks.decisions.cases;

import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that grants whatever is claimed, at once and for a day, and remembers nothing: where more
 * buckets are held than a Redis beside this would have room or time for.
 */
final class GrantingStore implements LeasingStore {
  private static final long DAY = 86_400_000_000L;

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    return CompletableFuture.completedFuture(
        claims.stream().map(claim -> Optional.of(grant(claim))).toList());
  }

  private static Grant grant(Claim claim) {
    return Grant.builder()
        .granted(claim.needed() + claim.extra(), 1, DAY)
        .left(claim.burst())
        .reset(DAY)
        .build();
  }

  @Override
  public long minLifeMicros() {
    return 5_000;
  }

  @Override
  public int partition(BucketId bucket) {
    return 0;
  }

  @Override
  public CompletionStage<Membership> heartbeat(String node) {
    return CompletableFuture.completedFuture(new Membership(1, Membership.WHOLE));
  }

  @Override
  public CompletionStage<?> leave(String node) {
    return CompletableFuture.completedFuture("gone");
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public void close() {}
}
