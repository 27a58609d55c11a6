package io.weir.internal.ban;

import io.weir.Ticker;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store that several nodes share, which answers, loses answers, or is away. */
final class SharedStore implements PermitStore {
  private final Map<BucketId, byte[]> buckets = new HashMap<>();
  private final BucketArithmetic arithmetic = BucketArithmetic.exact();
  private final Ticker ticker;
  boolean isAway;
  boolean losesAnswers;
  boolean counts = true;

  /** Gives the last answer, if that was lost. */
  Runnable lost = () -> {};

  int calls;
  int claims;

  SharedStore(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> all) {
    if (isAway) {
      throw new IllegalStateException("away");
    }
    calls++;
    claims += all.size();
    List<Optional<Grant>> grants = new ArrayList<>();
    for (Claim each : all) {
      BucketUpdate update =
          arithmetic.execute(buckets.get(each.bucket()), each, ticker.epochMicros());
      put(each.bucket(), update.bytes());
      grants.add(Optional.of(update.grant()));
    }
    CompletableFuture<List<Optional<Grant>>> answer = new CompletableFuture<>();
    lost = () -> answer.complete(List.copyOf(grants));
    if (!losesAnswers) {
      lost.run();
    }
    return answer;
  }

  /** Returns whether no other region hears of what was counted. */
  boolean isOfRegion() {
    return buckets.keySet().stream().allMatch(each -> each.spec().isOfRegion());
  }

  private void put(BucketId bucket, byte @Nullable [] bytes) {
    if (bytes == null) {
      buckets.remove(bucket);
    } else {
      buckets.put(bucket, bytes);
    }
  }

  @Override
  public boolean counts(BucketSpec spec) {
    return counts;
  }

  @Override
  public CompletionStage<?> forget(BucketId bucket) {
    if (isAway) {
      throw new IllegalStateException("away");
    }
    buckets.remove(bucket);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public long size() {
    return buckets.size();
  }

  @Override
  public void close() {
    // Nothing to close.
  }
}
