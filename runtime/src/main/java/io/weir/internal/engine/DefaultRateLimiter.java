package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.engine.SafeMetrics.Stopwatch;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestDecisionBuilder;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.region.RegionShares;
import io.weir.spi.DecisionSpan;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.ExactBuckets;
import io.weir.store.PermitStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests: takes the permits of all policies of a request at once, and gives all of them
 * back if one policy refuses.
 *
 * <p>Most requests are decided at once, by {@code decideNow}; the others become a {@link
 * PendingDecision}.
 *
 * <p>Safe for concurrent use.
 */
final class DefaultRateLimiter implements InternalRateLimiter {
  private final ResilientPermitSource source;
  private final PermitStore store;
  private final LimitCalculator limits;
  private final RequestTermsCache termsCache;
  private final SafeMetrics metrics;
  private final SafeTracing tracing;
  private final BackgroundScheduler background;
  private final ExtendableTimeout timeout;
  private final AtomicBoolean closed = new AtomicBoolean();

  DefaultRateLimiter(
      ResilientPermitSource source,
      PermitStore store,
      LimitCalculator limits,
      SafeMetrics metrics,
      SafeTracing tracing,
      BackgroundScheduler background,
      ExtendableTimeout timeout) {
    this.source = source;
    this.store = store;
    this.limits = limits;
    this.termsCache = new RequestTermsCache(limits, this::requireCounted);
    this.metrics = metrics;
    this.tracing = tracing;
    this.background = background;
    this.timeout = timeout;
  }

  @Override
  public Decision tryAcquire(Policy policy, Key key) {
    return tryAcquire(policy, key, policy.cost(), policy.limit(), 0);
  }

  @Override
  public Decision tryAcquire(Policy policy, Key key, long permits) {
    return tryAcquire(policy, key, permits, policy.limit(), 0);
  }

  private Decision tryAcquire(Policy policy, Key key, long permits, long limit, long used) {
    Stopwatch watch = metrics.start();
    Decision now = decideNow(policy, key, permits, limit, used, watch);
    return now != null
        ? traced(now)
        : startAndAwait(List.of(new PermitRequest(policy, key, permits, limit, used)), 0, watch);
  }

  @Override
  public Decision tryAcquire(List<PermitRequest> requests, long waitedNanos) {
    if (waitedNanos == 0) {
      return tryAcquire(requests);
    }
    Stopwatch watch = metrics.start();
    Decision now = decideNow(requests, watch);
    return now != null ? traced(now) : startAndAwait(requests, waitedNanos, watch);
  }

  @Override
  public Decision tryAcquire(List<PermitRequest> requests) {
    if (requests.size() == 1 && !LimitCalculator.bringsLoad(requests.get(0))) {
      PermitRequest only = requests.get(0);
      return tryAcquire(only.policy(), only.key(), only.permits(), only.limit(), only.used());
    }
    Stopwatch watch = metrics.start();
    Decision now = decideNow(requests, watch);
    return now != null ? traced(now) : startAndAwait(requests, 0, watch);
  }

  // A thread that asks the store itself may wait for the whole time-out, so one that has waited
  // before lets others ask.
  private Decision startAndAwait(List<PermitRequest> requests, long waited, Stopwatch watch) {
    long began = timeout.begin();
    Decision decision = start(requests, watch, waited, true).await(timeout, began - waited);
    tracing.decided(tracing.currentSpan(), decision, timeout.elapsed(began));
    return decision;
  }

  private Decision traced(Decision now) {
    tracing.decided(now);
    return now;
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(List<PermitRequest> requests) {
    return tryAcquireAsync(requests, 0, tracing.currentSpan());
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(
      List<PermitRequest> requests, long waitedNanos, @Nullable DecisionSpan span) {
    Stopwatch watch = metrics.start();
    Decision now = decideNow(requests, watch);
    if (now != null) {
      tracing.decided(span, now, 0);
      return CompletableFuture.completedStage(now);
    }
    long began = timeout.begin();
    PendingDecision pending = start(requests, watch, waitedNanos, false);
    pending.timeOutBy(background.scheduler(), timeout, began - waitedNanos);
    return span == null
        ? pending.decision().minimalCompletionStage()
        : pending
            .decision()
            .thenApply(
                decision -> {
                  tracing.decided(span, decision, timeout.elapsed(began));
                  return decision;
                })
            .minimalCompletionStage();
  }

  @Override
  public @Nullable DecisionSpan currentSpan() {
    return tracing.currentSpan();
  }

  @Override
  public void trace(@Nullable DecisionSpan span, Decision decision) {
    tracing.decided(span, decision, 0);
  }

  // Decides without waiting, as for most requests. Allocates only the decision, which is why it
  // doesn't take a PermitRequest.
  private @Nullable Decision decideNow(
      Policy policy, Key key, long permits, long limit, long used, Stopwatch watch) {
    RequestTerms terms = termsCache.of(policy, key, permits, limit, used);
    Decision now = terms == null || closed.get() ? null : source.decideNow(terms, key);
    if (now != null) {
      metrics.decided(now);
      watch.stop();
    }
    return now;
  }

  private @Nullable Decision decideNow(List<PermitRequest> requests, Stopwatch watch) {
    if (requests.size() == 1 && !LimitCalculator.bringsLoad(requests.get(0))) {
      PermitRequest only = requests.get(0);
      return decideNow(only.policy(), only.key(), only.permits(), only.limit(), only.used(), watch);
    }
    List<RequestTerms> allTerms = termsCache.of(requests);
    if (allTerms.isEmpty() || closed.get()) {
      return null;
    }
    List<Decision> parts = source.decideNow(allTerms, keys(requests));
    if (parts == null) {
      return null;
    }
    parts.forEach(metrics::decided);
    watch.stop();
    return DecisionCombiner.of(parts);
  }

  private static List<Key> keys(List<PermitRequest> requests) {
    List<Key> keys = new ArrayList<>(requests.size());
    for (PermitRequest request : requests) {
      keys.add(request.key());
    }
    return keys;
  }

  private PendingDecision start(
      List<PermitRequest> requests, Stopwatch watch, long waited, boolean blocks) {
    PendingDecision pending = new PendingDecision(pending(requests, false), source, this::conclude);
    if (waited > 0) {
      pending.markWaitedBefore();
    }
    if (watch != Stopwatch.NONE) {
      pending.whenDecided(watch::stop);
    }
    return start(pending, blocks && waited == 0);
  }

  @Override
  public Decision peek(PermitRequest request) {
    return peek(List.of(request));
  }

  @Override
  public Decision peek(List<PermitRequest> requests) {
    long began = timeout.begin();
    return start(peeking(requests), true).await(timeout, began);
  }

  @Override
  public CompletionStage<Decision> peekAsync(List<PermitRequest> requests) {
    PendingDecision pending = start(peeking(requests), false);
    pending.timeOutBy(background.scheduler(), timeout, timeout.begin());
    return pending.decision().minimalCompletionStage();
  }

  private PendingDecision peeking(List<PermitRequest> requests) {
    return new PendingDecision(pending(requests, true), source, DefaultRateLimiter::peeked);
  }

  private static Decision peeked(List<PolicyVerdict> verdicts) {
    List<Decision> parts = new ArrayList<>(verdicts.size());
    for (PolicyVerdict each : verdicts) {
      parts.add(each.decision(true));
    }
    return DecisionCombiner.of(parts);
  }

  private PendingDecision start(PendingDecision pending, boolean blocks) {
    if (closed.get()) {
      pending.decideClosed();
    } else {
      pending.start(blocks);
    }
    return pending;
  }

  private List<ResolvedPermitRequest> pending(List<PermitRequest> requests, boolean peek) {
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("at least one policy must decide a request");
    }
    for (PermitRequest request : requests) {
      requireCounted(request.policy());
    }
    if (requests.size() == 1) {
      PermitRequest request = requests.get(0);
      return List.of(ResolvedPermitRequest.of(request, limits.of(request), peek));
    }
    int load = limits.load(requests);
    List<ResolvedPermitRequest> all = new ArrayList<>(requests.size());
    for (PermitRequest request : requests) {
      all.add(pending(request, load, peek));
    }
    return all;
  }

  private ResolvedPermitRequest pending(PermitRequest request, int load, boolean peek) {
    return ResolvedPermitRequest.of(request, limits.of(request, load), peek);
  }

  // Policies of annotations are checked at start-up, those made by code only here.
  private void requireCounted(Policy policy) {
    if (!store.counts(policy.spec())) {
      throw new IllegalArgumentException("the store doesn't count buckets of " + policy.spec());
    }
  }

  private Decision conclude(List<PolicyVerdict> verdicts) {
    boolean admitted = true;
    for (PolicyVerdict each : verdicts) {
      admitted &= !each.blocks();
    }
    if (verdicts.size() == 1) {
      return conclude(verdicts.get(0), admitted);
    }
    List<Decision> parts = new ArrayList<>(verdicts.size());
    for (PolicyVerdict each : verdicts) {
      parts.add(conclude(each, admitted));
    }
    return DecisionCombiner.of(parts);
  }

  private Decision conclude(PolicyVerdict verdict, boolean admitted) {
    account(verdict, admitted);
    Decision part = verdict.decision(admitted);
    if (admitted || !verdict.admits()) {
      metrics.decided(part);
    }
    return part;
  }

  // Gives back unused permits. Used permits that only this node has counted are recorded for the
  // store.
  private void account(PolicyVerdict verdict, boolean admitted) {
    long surplus = verdict.surplus(admitted);
    long used = verdict.grant().permits() - surplus;
    boolean local = verdict.basis() == PolicyVerdict.Basis.LOCAL;
    if (surplus > 0) {
      BucketRequest request = verdict.pending().bucketRequest();
      if (local) {
        source.giveBackLocally(request, verdict.grant().stamp(), surplus);
      } else {
        source.giveBack(request, verdict.grant().stamp(), surplus);
      }
    }
    if (local && used > 0) {
      PermitRequest request = verdict.pending().request();
      PermitRequest debt =
          new PermitRequest(request.policy(), request.key(), used, request.limit());
      source.owe(ResolvedPermitRequest.bucketRequest(debt, effectiveLimit(debt)));
    }
  }

  @Override
  public Optional<ExactBuckets> exactBuckets() {
    return store.exactBuckets();
  }

  @Override
  public CompletionStage<Void> reset(Policy policy, Key key) {
    requireCounted(policy);
    if (policy.spec().isOfPeriod()) {
      throw new IllegalArgumentException(
          policy.name() + " is a quota: grant permits instead of resetting it");
    }
    return closed.get()
        ? CompletableFuture.failedStage(new IllegalStateException("the limiter is closed"))
        : forget(policy.spec(), key);
  }

  @Override
  public CompletionStage<Void> forget(BucketSpec spec, Key key) {
    source.forgetLocally(spec, key); // also for a store that is away, and before debts follow
    BucketId bucket = new BucketId(spec, key);
    try {
      return store.forget(bucket).thenRun(() -> source.letGoAfterReset(bucket));
    } catch (RuntimeException | LinkageError broken) {
      return CompletableFuture.failedStage(broken);
    }
  }

  @Override
  public boolean isStoreAway() {
    return source.isAway();
  }

  @Override
  public long storeLosses() {
    return source.dataLosses();
  }

  @Override
  public int nodes() {
    return source.nodes();
  }

  @Override
  public void letGo(Predicate<BucketId> which) {
    source.letGo(which);
  }

  @Override
  public RequestDecisionBuilder unasked(Policy policy, PermitRequest request) {
    if (!limits.divides(policy)) {
      return RequestDecision.builder(policy, request.key()).remaining(request.limit(), 0);
    }
    EffectiveLimit ofRegion = limits.of(request);
    return RequestDecision.builder(policy, request.key(), ofRegion.part())
        .remaining(ofRegion.limit(), 0);
  }

  @Override
  public RequestTerms termsInRegion(Decision part, RegionShares its) {
    EffectiveLimit there = limits.ofRegion(its).of(RequestDecision.cast(part).again(1));
    return (there.isNothing() ? there.nominal() : there).terms(part.policy(), 1, 0);
  }

  @Override
  public void record(Decision part) {
    metrics.decided(part);
  }

  @Override
  public void recordStrike(String policy) {
    metrics.struck(policy);
  }

  @Override
  public void recordBan(String policy, boolean isShadow) {
    metrics.banned(policy, isShadow);
  }

  @Override
  public void refund(Decision decision) {
    List<Decision> parts = RequestDecision.cast(decision).parts();
    for (int i = 0; i < parts.size(); i++) { // without an iterator: refusals come here too
      refundPart(RequestDecision.cast(parts.get(i)));
    }
  }

  private void refundPart(RequestDecision part) {
    long permits = part.takeBack();
    if (permits > 0 && !closed.get()) {
      PermitRequest request =
          new PermitRequest(part.policy(), part.key(), permits, part.wholeLimit());
      EffectiveLimit effectiveLimit = effectiveLimit(request);
      if (part.degraded()) {
        source.cancelDebt(request, effectiveLimit, part.stamp());
      } else {
        source.giveBack(
            ResolvedPermitRequest.bucketRequest(request, effectiveLimit), part.stamp(), permits);
      }
    }
  }

  @Override
  public void succeeded(Decision decision) {
    for (Decision part : RequestDecision.cast(decision).parts()) {
      RequestDecision own = RequestDecision.cast(part);
      if (clears(own)) {
        end(own, own.takeBack(), true);
      } else if (own.policy().count() == Count.FAILURES) {
        refundPart(own);
      } else {
        own.keep();
      }
    }
  }

  @Override
  public void failed(Decision decision) {
    for (Decision part : RequestDecision.cast(decision).parts()) {
      RequestDecision own = RequestDecision.cast(part);
      if (own.policy().count() == Count.SUCCESSES) {
        refundPart(own);
        continue;
      }
      long permits = own.keep();
      if (clears(own)) {
        end(own, permits, false);
      }
    }
  }

  /** Leaves out what the store hasn't granted: it can't tell that from running requests. */
  private static boolean clears(RequestDecision part) {
    return part.policy().clearOn() == ClearOn.SUCCESS && !part.degraded();
  }

  private void end(RequestDecision part, long permits, boolean succeeded) {
    if (permits > 0 && !closed.get()) {
      PermitRequest request =
          new PermitRequest(part.policy(), part.key(), permits, part.wholeLimit());
      source.end(
          ResolvedPermitRequest.bucketRequest(request, effectiveLimit(request)),
          part.stamp(),
          permits,
          succeeded);
    }
  }

  @Override
  public void charge(PermitRequest debt) {
    requireCounted(debt.policy());
    if (!closed.get() && debt.permits() > 0) {
      source.charge(debt, effectiveLimit(debt));
    }
  }

  private EffectiveLimit effectiveLimit(PermitRequest request) {
    return limits.ofAccounts(request);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      metrics.close();
      source.close();
      background.close(); // last: the source needs its thread to give leases back
    }
  }
}
