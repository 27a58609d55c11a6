package io.weir.internal.application;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
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
import org.jspecify.annotations.Nullable;

/**
 * Reads from the store how many permits of a bucket are used, past the cache of leases: no permit
 * is taken, and no bucket is loaded.
 *
 * <p>Safe for concurrent use.
 */
final class StoreUsageReader {
  /** Exceeds the count of any window, so that the rest shows how many were used. */
  private static final long MAX_COUNT = 1L << 40;

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
        BucketSpec.hasBurst(policy.algorithm()) ? policy.burstFor(policy.limit()) : MAX_COUNT;
    long limit = BucketSpec.hasBurst(policy.algorithm()) ? policy.limit() : MAX_COUNT;
    Claim peek = Claim.peek(new BucketId(policy.spec(), key), 1, limit, most);
    ask(peek, ticker.epochMicros(), false, most, used);
    timeOut(used);
    return used.minimalCompletionStage();
  }

  private void ask(
      Claim peek, long now, boolean again, long most, CompletableFuture<OptionalLong> used) {
    try {
      var unused =
          store
              .execute(List.of(named(peek, now)))
              .whenComplete((grants, failure) -> answered(peek, grants, again, most, used));
    } catch (RuntimeException | LinkageError broken) {
      used.complete(OptionalLong.empty());
    }
  }

  private static Claim named(Claim peek, long now) {
    CalendarWindow windows = peek.bucket().spec().calendar().orElse(null);
    return windows == null
        ? peek
        : peek.inWindow(Math.max(0, windows.opens(now)), windows.closes(now));
  }

  private void answered(
      Claim peek,
      @Nullable List<Optional<Grant>> grants,
      boolean again,
      long most,
      CompletableFuture<OptionalLong> used) {
    Grant grant = grants == null || grants.size() != 1 ? null : grants.get(0).orElse(null);
    if (grant != null && grant.isOfOtherWindow() && !again) {
      ask(peek, grant.storeClock(), true, most, used);
    } else if (grant == null || grant.isOfOtherWindow()) {
      used.complete(OptionalLong.empty());
    } else {
      used.complete(OptionalLong.of(Math.max(0, most - grant.left())));
    }
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
