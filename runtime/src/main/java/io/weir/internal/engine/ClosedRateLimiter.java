package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestDecisionBuilder;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.region.RegionShares;
import io.weir.spi.DecisionSpan;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.ExactBuckets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides as a limiter that was closed, and refers to nothing of it: refuses what costs a permit
 * because there is no store.
 *
 * <p>Immutable.
 */
public final class ClosedRateLimiter implements InternalRateLimiter {
  public static final ClosedRateLimiter INSTANCE = new ClosedRateLimiter();

  private static final long SOON_MICROS = 1_000_000;

  private ClosedRateLimiter() {}

  @Override
  public Decision tryAcquire(List<PermitRequest> requests) {
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("at least one policy must decide a request");
    }
    return DecisionCombiner.of(requests.stream().map(ClosedRateLimiter::decision).toList());
  }

  private static Decision decision(PermitRequest request) {
    Policy policy = request.policy();
    RequestDecisionBuilder decision = RequestDecision.builder(policy, request.key());
    if (request.permits() == 0) {
      return decision
          .outcome(Outcome.ADMITTED, Reason.WITHIN_LIMIT)
          .remaining(request.limit(), 0)
          .degraded(true)
          .free(true)
          .build();
    }
    return decision
        .outcome(
            policy.shadow() ? Outcome.SHADOW_REFUSED : Outcome.REFUSED, Reason.STORE_UNAVAILABLE)
        .remaining(request.limit(), 0)
        .after(SOON_MICROS, SOON_MICROS)
        .degraded(true)
        .build();
  }

  @Override
  public Decision tryAcquire(List<PermitRequest> requests, long waitedNanos) {
    return tryAcquire(requests);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(List<PermitRequest> requests) {
    return CompletableFuture.completedStage(tryAcquire(requests));
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(
      List<PermitRequest> requests, long waitedNanos, @Nullable DecisionSpan span) {
    return tryAcquireAsync(requests);
  }

  @Override
  public Decision peek(PermitRequest request) {
    return decision(request);
  }

  @Override
  public Decision peek(List<PermitRequest> requests) {
    return tryAcquire(requests);
  }

  @Override
  public CompletionStage<Decision> peekAsync(List<PermitRequest> requests) {
    return tryAcquireAsync(requests);
  }

  @Override
  public void refund(Decision decision) {
    // The permits went with the store.
  }

  @Override
  public void succeeded(Decision decision) {
    // As a refund.
  }

  @Override
  public void failed(Decision decision) {
    // As a refund.
  }

  @Override
  public void charge(PermitRequest debt) {
    // There is nothing to charge.
  }

  @Override
  public CompletionStage<Void> reset(Policy policy, Key key) {
    return forget(policy.spec(), key);
  }

  @Override
  public CompletionStage<Void> forget(BucketSpec spec, Key key) {
    return CompletableFuture.completedStage(null);
  }

  @Override
  public void letGo(Predicate<BucketId> which) {
    // It holds no bucket.
  }

  @Override
  public boolean isStoreAway() {
    return false;
  }

  @Override
  public long storeLosses() {
    return 0;
  }

  @Override
  public int nodes() {
    return 1;
  }

  @Override
  public RequestDecisionBuilder unasked(Policy policy, PermitRequest request) {
    return RequestDecision.builder(policy, request.key()).remaining(request.limit(), 0);
  }

  @Override
  public RequestTerms termsInRegion(Decision part, RegionShares its) {
    long limit = RequestDecision.cast(part).wholeLimit();
    return new RequestTerms(part.policy(), 1, limit, limit, limit, 0);
  }

  @Override
  public void record(Decision part) {
    // The metrics were closed.
  }

  @Override
  public void recordStrike(String policy) {
    // As above.
  }

  @Override
  public void recordBan(String policy, boolean isShadow) {
    // As above.
  }

  @Override
  public @Nullable DecisionSpan currentSpan() {
    return null;
  }

  @Override
  public void trace(@Nullable DecisionSpan span, Decision decision) {
    // The tracing has ended with the limiter.
  }

  @Override
  public Optional<ExactBuckets> exactBuckets() {
    return Optional.empty();
  }

  @Override
  public void close() {
    // It is closed.
  }
}
