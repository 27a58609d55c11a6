package io.weir.internal.application;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.region.StorePeek;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Reads from the store how many permits of a bucket are used, past the cache of leases: no permit
 * is taken, and no bucket is loaded.
 *
 * <p>Safe for concurrent use.
 */
final class StoreUsageReader {
  private final PermitStore store;
  private final Ticker ticker;
  private final Duration timeout;
  private final ScheduledExecutorService scheduler;

  StoreUsageReader(
      PermitStore store, Ticker ticker, Duration timeout, ScheduledExecutorService scheduler) {
    this.store = store;
    this.ticker = ticker;
    this.timeout = timeout;
    this.scheduler = scheduler;
  }

  /** Reads how many permits of a bucket are used; empty if the store doesn't answer in time. */
  CompletionStage<OptionalLong> used(Policy policy, Key key) {
    CompletableFuture<OptionalLong> used = new CompletableFuture<>();
    long most =
        BucketSpec.hasBurst(policy.algorithm())
            ? policy.burstFor(policy.limit())
            : StorePeek.MAX_COUNT;
    long limit = BucketSpec.hasBurst(policy.algorithm()) ? policy.limit() : StorePeek.MAX_COUNT;
    Claim peek = Claim.peek(new BucketId(policy.spec(), key), 1, limit, most);
    var unused =
        StorePeek.ask(store, List.of(peek), ticker.epochMicros())
            .whenComplete(
                (grants, failure) -> {
                  Optional<Grant> grant = grants == null ? Optional.empty() : grants.get(0);
                  used.complete(
                      grant.isPresent()
                          ? OptionalLong.of(Math.max(0, most - grant.get().left()))
                          : OptionalLong.empty());
                });
    timeOut(used);
    return used.minimalCompletionStage();
  }

  private void timeOut(CompletableFuture<OptionalLong> used) {
    if (used.isDone()) {
      return;
    }
    try {
      Future<?> alarm =
          scheduler.schedule(
              () -> used.complete(OptionalLong.empty()), timeout.toNanos(), TimeUnit.NANOSECONDS);
      CompletionStage<OptionalLong> stage = used;
      var unused = stage.whenComplete((known, failure) -> alarm.cancel(false));
    } catch (RejectedExecutionException closed) {
      used.complete(OptionalLong.empty());
    }
  }
}
