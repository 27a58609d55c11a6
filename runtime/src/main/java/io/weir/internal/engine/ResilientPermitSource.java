package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.LocalBucketView;
import io.weir.internal.permits.PermitSource;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes permits from the shared store; while that can't be reached, decides by the policy's {@code
 * onStoreFailure}. Never fails.
 *
 * <p>Safe for concurrent use.
 */
final class ResilientPermitSource {
  private final PermitSource shared;
  private final PermitSource local;
  private final Supplier<OnStoreFailure> onStoreFailure;
  private final Consumer<Throwable> failures;
  private final LimitCalculator limits;
  private final BooleanSupplier isAway;

  /**
   * Combines the source of the store with one of this node.
   *
   * @param local this node's own count, for LOCAL; answers immediately
   * @param onStoreFailure the choice for policies that leave it to the settings
   * @param failures receives the reasons that requests are decided without the store
   */
  ResilientPermitSource(
      PermitSource shared,
      PermitSource local,
      Supplier<OnStoreFailure> onStoreFailure,
      Consumer<Throwable> failures,
      LimitCalculator limits,
      BooleanSupplier isAway) {
    this.shared = shared;
    this.local = local;
    this.onStoreFailure = onStoreFailure;
    this.failures = failures;
    this.limits = limits;
    this.isAway = isAway;
  }

  void failed(Throwable cause) {
    failures.accept(cause);
  }

  /**
   * Decides if the source has the permits at hand, or knows that there are none; else returns null.
   */
  @Nullable Decision decideNow(RequestTerms terms, Key key) {
    try {
      return shared.decideNow(terms, key);
    } catch (RuntimeException | LinkageError broken) {
      failed(broken);
      return null;
    }
  }

  /**
   * Admits by all policies of a request if the source has all permits at hand; else returns null.
   */
  @Nullable List<Decision> decideNow(List<RequestTerms> allTerms, List<Key> keys) {
    try {
      return shared.decideNow(allTerms, keys);
    } catch (RuntimeException | LinkageError broken) {
      failed(broken);
      return null;
    }
  }

  /** Takes permits; may use this thread to ask for them if it {@code blocks}. */
  CompletionStage<List<Optional<Grant>>> take(List<BucketRequest> requests, boolean blocks) {
    try {
      return blocks ? shared.takeBlocking(requests) : shared.take(requests);
    } catch (RuntimeException | LinkageError broken) {
      failed(broken);
      return CompletableFuture.failedStage(broken);
    }
  }

  /** Judges by the store's answers; where one is missing, without the store. */
  List<PolicyVerdict> verdicts(
      List<ResolvedPermitRequest> requests, List<Optional<Grant>> answers) {
    List<PolicyVerdict> verdicts = new ArrayList<>(requests.size());
    int from = 0;
    for (ResolvedPermitRequest request : requests) {
      int to = from + request.answerCount();
      verdicts.add(
          PolicyVerdict.of(request, answers.subList(from, to), PolicyVerdict.Basis.STORE)
              .orElseGet(() -> withoutStore(request)));
      from = to;
    }
    return withoutSkipped(verdicts);
  }

  // Buckets are skipped if another one refuses, so their verdicts count only if none does.
  private static List<PolicyVerdict> withoutSkipped(List<PolicyVerdict> all) {
    boolean refused = false;
    for (PolicyVerdict each : all) {
      refused |= each.blocks() && !each.isSkipped();
    }
    if (refused) {
      all.replaceAll(each -> each.isSkipped() ? each.skipped() : each);
    }
    return all;
  }

  PolicyVerdict withoutStore(ResolvedPermitRequest request) {
    if (request.isOverloaded()) {
      return PolicyVerdict.unasked(request);
    }
    OnStoreFailure ofPolicy = request.request().policy().onStoreFailure();
    return switch (ofPolicy == OnStoreFailure.DEFAULT ? onStoreFailure.get() : ofPolicy) {
      case DEFAULT, LOCAL -> locally(request);
      case OPEN -> PolicyVerdict.open(request);
      case CLOSED -> PolicyVerdict.closed(request);
    };
  }

  // A node that can't count by itself either admits: the limiter must not cause an outage.
  private PolicyVerdict locally(ResolvedPermitRequest request) {
    try {
      if (request.isUsedUp()) {
        return PolicyVerdict.usedUp(request);
      }
      Optional<ResolvedPermitRequest> share = share(request);
      return share.isEmpty() ? PolicyVerdict.closed(request) : locally(request, share.get());
    } catch (RuntimeException | LinkageError broken) {
      failed(broken);
      return PolicyVerdict.open(request);
    }
  }

  private PolicyVerdict locally(ResolvedPermitRequest request, ResolvedPermitRequest share) {
    LocalBucketView known =
        limits.reserve().isNone()
            ? shared.localView(request.bucketRequest(), share.effectiveLimit().burst())
            : LocalBucketView.NOTHING; // nothing of the reserve was granted by the store
    if (known.refusal().isPresent()) {
      return PolicyVerdict.refusedLocally(share, known.refusal().get());
    }
    ResolvedPermitRequest rest = share.minus(known.granted());
    List<Optional<Grant>> answers =
        local.take(rest.bucketRequests()).toCompletableFuture().getNow(List.of());
    return answers.isEmpty()
        ? PolicyVerdict.open(request)
        : PolicyVerdict.of(rest, answers, PolicyVerdict.Basis.LOCAL)
            .orElseGet(() -> PolicyVerdict.open(request));
  }

  private Optional<ResolvedPermitRequest> share(ResolvedPermitRequest pending) {
    OutageReserve reserve = limits.reserve();
    PermitRequest request = pending.request();
    if (reserve.isNone()) {
      return Optional.of(pending.dividedBy(shared.parts()));
    }
    return !limits.ownsReserve(request)
        ? Optional.empty()
        : limits
            .reservedShare(request, shared.nodes())
            .map(share -> pending.within(share, reserve));
  }

  /** Returns how long the store has owed an answer about any of these; negative if unknown. */
  long silentNanos(List<BucketRequest> requests) {
    try {
      long longest = ExtendableTimeout.UNKNOWN;
      for (BucketRequest request : requests) {
        long silent = shared.silentMicros(request);
        if (silent < 0) {
          return silent;
        }
        longest = Math.max(longest, TimeUnit.MICROSECONDS.toNanos(silent));
      }
      return longest;
    } catch (RuntimeException | LinkageError broken) {
      failed(broken);
      return ExtendableTimeout.UNKNOWN;
    }
  }

  /** Records for the store the permits of this node's own count, unless they were reserved. */
  void owe(BucketRequest debt) {
    if (limits.reserve().isNone()) {
      safely(() -> shared.owe(debt));
    }
  }

  void giveBack(BucketRequest request, long stamp, long permits) {
    safely(() -> shared.giveBack(request, stamp, permits));
  }

  void end(BucketRequest request, long stamp, long permits, boolean succeeded) {
    safely(() -> shared.end(request, stamp, permits, succeeded));
  }

  /** Gives back permits that only this node has counted and that aren't recorded for the store. */
  void giveBackLocally(BucketRequest request, long stamp, long permits) {
    safely(() -> local.giveBack(request, stamp, permits));
  }

  /** Gives back permits that this node has counted, and cancels the debt recorded for the store. */
  void cancelDebt(PermitRequest request, EffectiveLimit effectiveLimit, long stamp) {
    giveBackLocally(localRequest(request, effectiveLimit), stamp, request.permits());
    if (limits.reserve().isNone()) {
      safely(() -> shared.cancelDebt(ResolvedPermitRequest.bucketRequest(request, effectiveLimit)));
    }
  }

  private BucketRequest localRequest(PermitRequest request, EffectiveLimit effectiveLimit) {
    OutageReserve reserve = limits.reserve();
    int parts = shared.parts();
    EffectiveLimit share = effectiveLimit.dividedBy(parts);
    if (!reserve.isNone()) {
      share = limits.reservedShare(request, shared.nodes()).orElse(share);
    }
    BucketId bucket = reserve.localBucket(request.policy().spec(), request.key());
    return ResolvedPermitRequest.bucketRequest(request, share, false, bucket);
  }

  /** Charges the store, or this node's own count if the store can't be reached. */
  void charge(PermitRequest request, EffectiveLimit effectiveLimit) {
    try {
      shared
          .charge(ResolvedPermitRequest.bucketRequest(request, effectiveLimit))
          .whenComplete((done, failure) -> charged(request, effectiveLimit, failure));
    } catch (RuntimeException | LinkageError broken) {
      failed(broken);
      charged(request, effectiveLimit, broken);
    }
  }

  private void charged(
      PermitRequest request, EffectiveLimit effectiveLimit, @Nullable Throwable failure) {
    if (failure != null) {
      local.charge(localRequest(request, effectiveLimit));
    }
  }

  private void safely(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | LinkageError broken) {
      failed(broken);
    }
  }

  boolean isAway() {
    return isAway.getAsBoolean();
  }

  long dataLosses() {
    return shared.dataLosses();
  }

  int nodes() {
    return shared.nodes();
  }

  void letGo(Predicate<BucketId> which) {
    safely(() -> shared.letGo(which));
  }

  /** Makes a bucket full again in this node's own count, and drops its debts to the store. */
  void forgetLocally(BucketSpec spec, Key key) {
    safely(() -> local.forget(limits.reserve().localBucket(spec, key)));
    letGoAfterReset(new BucketId(spec, key));
  }

  /** Gives up a bucket that was reset, so that its next request asks the store. */
  void letGoAfterReset(BucketId bucket) {
    safely(() -> shared.letGoAfterReset(bucket));
  }

  void close() {
    local.close();
    shared.close();
  }
}
