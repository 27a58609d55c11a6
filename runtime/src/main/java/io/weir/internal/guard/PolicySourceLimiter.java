package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.internal.engine.InternalRateLimiter;
import io.weir.internal.extension.SafePolicySource;
import io.weir.internal.extension.SafeTierResolver;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.DecisionPhase;
import io.weir.spi.DecisionSpan;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides for callers of {@link io.weir.Weir#limiter()} in an application with a policy source:
 * what the source says of a policy holds here as it does for requests.
 *
 * <p>The caller gives the cost and the key, and may give a limit other than the policy's own, which
 * is kept. A policy that is switched off takes nothing.
 *
 * <p>Safe for concurrent use.
 */
public final class PolicySourceLimiter implements RateLimiter {
  private static final DecisionPhase PHASE =
      DecisionPhase.AFTER_AUTHENTICATION; // callers are known

  private final InternalRateLimiter limiter;
  private final SafePolicySource source;
  private final AppliedPolicyReader appliedPolicies;
  private final SafeTierResolver tiers;

  public PolicySourceLimiter(
      InternalRateLimiter limiter,
      SafePolicySource source,
      AppliedPolicyReader appliedPolicies,
      SafeTierResolver tiers) {
    this.limiter = limiter;
    this.source = source;
    this.appliedPolicies = appliedPolicies;
    this.tiers = tiers;
  }

  @Override
  public Decision tryAcquire(List<PermitRequest> requests) {
    DecisionHistory asked = new DecisionHistory(limiter::refund);
    List<PermitRequest> inForce = inForce(requests, asked);
    return told(limiter.tryAcquire(inForce, asked.takeWaited()), asked);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(List<PermitRequest> requests) {
    DecisionHistory asked = new DecisionHistory(limiter::refund);
    DecisionSpan span = limiter.currentSpan();
    if (requests.size() == 1) {
      return askAsync(
          requests.get(0), asked, inForce -> decideAsync(List.of(inForce), asked, span));
    }
    CompletionStage<List<PermitRequest>> all =
        CompletableFuture.completedFuture(new ArrayList<>(requests.size()));
    for (PermitRequest each : requests) {
      all = all.thenCompose(before -> andAsync(before, each, asked));
    }
    return all.thenCompose(inForce -> decideAsync(inForce, asked, span));
  }

  private CompletionStage<Decision> decideAsync(
      List<PermitRequest> inForce, DecisionHistory asked, @Nullable DecisionSpan span) {
    CompletionStage<Decision> decided = limiter.tryAcquireAsync(inForce, asked.takeWaited(), span);
    return asked.knowsAll() ? decided : decided.thenApply(decision -> told(decision, asked));
  }

  private CompletionStage<List<PermitRequest>> andAsync(
      List<PermitRequest> before, PermitRequest next, DecisionHistory asked) {
    return askAsync(
        next,
        asked,
        inForce -> {
          before.add(inForce);
          return CompletableFuture.completedFuture(before);
        });
  }

  private <T> CompletionStage<T> askAsync(
      PermitRequest request,
      DecisionHistory asked,
      Function<PermitRequest, CompletionStage<T>> next) {
    LimiterCallInfo call = new LimiterCallInfo(request.key());
    return source.askAsync(
        call,
        tiers.tier(call),
        PHASE,
        List.of(request.policy()),
        asked,
        Runnable::run,
        answer -> next.apply(inForce(request, answer, asked)));
  }

  @Override
  public Decision peek(PermitRequest request) {
    DecisionHistory asked = new DecisionHistory(limiter::refund);
    return told(limiter.peek(inForce(request, asked)), asked);
  }

  @Override
  public void refund(Decision decision) {
    limiter.refund(decision);
  }

  @Override
  public void succeeded(Decision decision) {
    limiter.succeeded(decision);
  }

  @Override
  public void failed(Decision decision) {
    limiter.failed(decision);
  }

  @Override
  public void charge(PermitRequest debt) {
    var unused =
        askAsync(
            debt,
            new DecisionHistory(limiter::refund),
            inForce -> {
              if (inForce.permits() > 0) {
                limiter.charge(inForce);
              }
              return CompletableFuture.completedFuture(null);
            });
  }

  /** Resets the policy's own bucket, and that of the policy in force if it has another burst. */
  @Override
  public CompletionStage<Void> reset(Policy policy, Key key) {
    return withInForce(limiter.reset(policy, key), policy, key).thenAccept(all -> {});
  }

  /**
   * Makes the buckets full again that {@link #reset} resets.
   *
   * @return those buckets; see {@link InternalRateLimiter#forget}
   */
  public CompletionStage<List<BucketId>> forget(Policy policy, Key key) {
    return withInForce(limiter.forget(policy.spec(), key), policy, key);
  }

  private CompletionStage<List<BucketId>> withInForce(
      CompletionStage<Void> own, Policy policy, Key key) {
    BucketId bucket = new BucketId(policy.spec(), key);
    return askAsync(
        new PermitRequest(policy, key),
        new DecisionHistory(limiter::refund),
        inForce -> {
          BucketSpec spec = inForce.policy().spec();
          return spec.equals(policy.spec())
              ? own.thenApply(done -> List.of(bucket))
              : own.thenCombine(
                  limiter.forget(spec, key),
                  (done, too) -> List.of(bucket, new BucketId(spec, key)));
        });
  }

  private List<PermitRequest> inForce(List<PermitRequest> requests, DecisionHistory asked) {
    List<PermitRequest> all = new ArrayList<>(requests.size());
    for (PermitRequest each : requests) {
      all.add(inForce(each, asked));
    }
    return all;
  }

  private PermitRequest inForce(PermitRequest wanted, DecisionHistory asked) {
    LimiterCallInfo call = new LimiterCallInfo(wanted.key());
    return inForce(
        wanted,
        source.await(call, tiers.tier(call), PHASE, List.of(wanted.policy()), asked),
        asked);
  }

  private PermitRequest inForce(
      PermitRequest wanted, AppliedPolicies answer, DecisionHistory asked) {
    if (!answer.isComplete()) {
      asked.markIncomplete();
    }
    Policy policy = wanted.policy();
    for (AppliedPolicy each : answer.policies()) {
      if (!each.policy().name().equals(policy.name())) {
        continue;
      }
      if (each.isOff()) {
        return new PermitRequest(policy, wanted.key(), 0, wanted.limit());
      }
      if (appliedPolicies.canReplace(policy, each.policy())) {
        boolean isSaid = wanted.limit() != policy.limit() || !each.isLimitGiven();
        long limit = each.limitFor(isSaid ? wanted.limit() : each.limit());
        long used = Math.max(wanted.used(), each.used());
        return new PermitRequest(each.policy(), wanted.key(), wanted.permits(), limit, used);
      }
    }
    return wanted;
  }

  private static Decision told(Decision decision, DecisionHistory asked) {
    return asked.knowsAll() ? decision : DecisionCombiner.incomplete(List.of(decision));
  }

  @Override
  public void close() {
    limiter.close();
  }
}
