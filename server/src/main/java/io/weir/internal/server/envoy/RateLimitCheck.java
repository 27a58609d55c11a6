package io.weir.internal.server.envoy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.envoy.config.EnvoyDomain;
import io.weir.internal.server.envoy.config.EnvoyLimit;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides one request of a gateway. Used by one thread at a time.
 *
 * <p>All or nothing: if one descriptor exceeds its limit, nothing is taken for any. Limits of
 * {@code quota_mode} refuse only if all of them are exceeded; those of {@code shadow_mode} never
 * do.
 *
 * <p>Usage that is reported after the fact always counts: hits of more than one that aren't taken,
 * because they or another descriptor exceed a limit, are charged as a debt. A single hit isn't,
 * since it asks for permission.
 *
 * <p>Zero hits peek without counting.
 */
final class RateLimitCheck {
  // More than any limit, so that hits that exceed all limits still do when they are capped.
  private static final long MAX_HITS = Policy.MAX_LIMIT + 1;

  private final RateLimiter limiter;
  private final RateLimitRequest request;
  private final Supplier<OnStoreFailure> byDefault;
  private final Ticker ticker;
  private final RequestDescriptor[] descriptors;
  private final List<BucketUse> takes = new ArrayList<>(1);
  private List<BucketUse> peeks = List.of();
  private @Nullable Decision taken;

  RateLimitCheck(
      RateLimiter limiter,
      RateLimitRequest request,
      @Nullable EnvoyDomain domain,
      Supplier<OnStoreFailure> byDefault,
      Ticker ticker) {
    this.limiter = limiter;
    this.ticker = ticker;
    this.request = request;
    this.byDefault = byDefault;
    this.descriptors = new RequestDescriptor[request.getDescriptorsCount()];
    boolean anyReplaces = false;
    for (int i = 0; i < descriptors.length; i++) {
      RateLimitDescriptor descriptor = request.getDescriptors(i);
      EnvoyLimit limit = domain == null ? null : domain.limit(descriptor).orElse(null);
      descriptors[i] = new RequestDescriptor(limit, hits(descriptor));
      anyReplaces |= limit != null && !limit.replaces().isEmpty();
    }
    if (anyReplaces) {
      dropReplaced();
    }
    for (int i = 0; i < descriptors.length; i++) {
      findBucket(descriptors[i], request.getDescriptors(i));
    }
  }

  private long hits(RateLimitDescriptor descriptor) {
    if (descriptor.hasHitsAddend()) {
      long hits = descriptor.getHitsAddend().getValue(); // unsigned
      return hits < 0 ? MAX_HITS : Math.min(MAX_HITS, hits);
    }
    long hits = Integer.toUnsignedLong(request.getHitsAddend());
    return hits == 0 ? 1 : Math.min(MAX_HITS, hits);
  }

  private void dropReplaced() {
    Set<String> replaced = new HashSet<>();
    for (RequestDescriptor each : descriptors) {
      if (each.limit() != null) {
        replaced.addAll(each.limit().replaces());
      }
    }
    for (RequestDescriptor each : descriptors) {
      if (each.limit() != null && replaced.contains(each.limit().name())) {
        each.markReplaced();
      }
    }
  }

  private void findBucket(RequestDescriptor counted, RateLimitDescriptor descriptor) {
    EnvoyLimit limit = counted.limit();
    if (limit == null || limit.policy() == null) {
      return;
    }
    if (counted.hits() == 0 && peeks.isEmpty()) {
      peeks = new ArrayList<>(1);
    }
    List<BucketUse> uses = counted.hits() == 0 ? peeks : takes;
    BucketUse use = use(uses, limit.policy(), limit.key(descriptor.getEntriesList()), limit);
    use.add(counted.hits(), limit.permits());
    counted.uses(use);
  }

  private BucketUse use(List<BucketUse> uses, Policy policy, Key key, EnvoyLimit limit) {
    for (int i = 0; i < uses.size(); i++) {
      if (uses.get(i).isOf(policy, key)) {
        return uses.get(i);
      }
    }
    BucketUse use = new BucketUse(policy, key, limit.permits(), byDefault);
    uses.add(use);
    return use;
  }

  /**
   * Decides and charges, without waiting.
   *
   * @return the response; completed exceptionally with UNAVAILABLE if the store is away and a limit
   *     refuses without it, and then nothing is charged
   */
  CompletionStage<RateLimitResponse> decide() {
    if (peeks.isEmpty()) {
      return decideTakes();
    }
    return ask(peeks, BucketUse::peekBeyond, BucketUse::applyPeekBeyond)
        .thenCompose(peeked -> decideTakes());
  }

  /** Charges, whatever is left. */
  void charge() {
    takes.forEach(each -> limiter.charge(each.take()));
  }

  private CompletionStage<RateLimitResponse> decideTakes() {
    if (takes.isEmpty()) {
      return CompletableFuture.completedFuture(conclude());
    }
    // If the request is refused anyway, the other limits only peek.
    return isRefused()
        ? ask(takes, BucketUse::peek, BucketUse::applyPeek).thenApply(peeked -> conclude())
        : ask(takes, BucketUse::take, BucketUse::applyTake)
            .thenApply(
                decision -> {
                  taken = decision;
                  return conclude();
                });
  }

  private CompletionStage<Decision> ask(
      List<BucketUse> uses,
      Function<BucketUse, PermitRequest> wanted,
      BiConsumer<BucketUse, Decision> answered) {
    List<PermitRequest> all = new ArrayList<>(uses.size());
    for (int i = 0; i < uses.size(); i++) {
      all.add(wanted.apply(uses.get(i)));
    }
    return limiter
        .tryAcquireAsync(all)
        .thenApply(
            decision -> {
              List<Decision> parts = decision.parts();
              for (int i = 0; i < uses.size(); i++) {
                answered.accept(uses.get(i), parts.get(i));
              }
              return decision;
            });
  }

  private boolean isRefused() {
    return refuses(RequestDescriptor::isOver);
  }

  /** Returns whether descriptors refuse, if those that this holds for exceed their limits. */
  private boolean refuses(Predicate<RequestDescriptor> over) {
    int quotas = 0;
    int exhausted = 0;
    for (RequestDescriptor each : descriptors) {
      if (!each.isQuota() && over.test(each)) {
        return true;
      }
      if (each.isQuota()) {
        quotas++;
        exhausted += over.test(each) ? 1 : 0;
      }
    }
    return quotas > 0 && exhausted == quotas;
  }

  private RateLimitResponse conclude() {
    for (RequestDescriptor each : descriptors) {
      if (each.use() != null && each.use().isUnavailable()) {
        throw new StatusRuntimeException(
            Status.UNAVAILABLE.withDescription("the store can't be reached, and a limit needs it"));
      }
    }
    boolean refused = isRefused();
    if (refused && taken != null && taken.admitted()) {
      limiter.refund(taken); // refused by limits of quota_mode together
      takes.forEach(BucketUse::markRefunded);
    }
    for (int i = 0; i < takes.size(); i++) {
      PermitRequest debt = takes.get(i).debt(refused);
      if (debt != null) {
        limiter.charge(debt);
        takes.get(i).markCharged(debt);
      }
    }
    boolean never = refused && refuses(RequestDescriptor::isNever);
    return ResponseWriter.of(request, descriptors, refused, never, ticker.epochMicros());
  }
}
