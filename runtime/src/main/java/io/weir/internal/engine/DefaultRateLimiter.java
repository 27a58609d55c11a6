package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests: asks for permits for all policies of a request at once, and gives all of them
 * back if one policy refuses.
 *
 * <p>Safe for concurrent use.
 */
final class DefaultRateLimiter implements RateLimiter {
  private final ResilientSource supply;
  private final Set<Algorithm> algorithms;
  private final LoadReader load;
  private final LimitCalculator limits;
  private final RequestTermsCache allTerms;
  private final SafeMetrics meters;
  private final BackgroundScheduler background;
  private final DecisionDeadlines deadlines;
  private final StoreTimeout timeout;
  private final AtomicBoolean closed = new AtomicBoolean();

  DefaultRateLimiter(
      ResilientSource supply,
      Set<Algorithm> algorithms,
      LimitCalculator limits,
      SafeMetrics meters,
      BackgroundScheduler background,
      StoreTimeout timeout) {
    this.supply = supply;
    this.algorithms = algorithms;
    this.load = limits.load();
    this.limits = limits;
    this.allTerms = new RequestTermsCache(limits);
    this.meters = meters;
    this.background = background;
    this.deadlines = new DecisionDeadlines(timeout, background.scheduler());
    this.timeout = timeout;
  }

  @Override
  public Decision tryAcquire(Policy policy, Key key) {
    return tryAcquire(policy, key, policy.cost(), policy.limit());
  }

  @Override
  public Decision tryAcquire(Policy policy, Key key, long permits) {
    return tryAcquire(policy, key, permits, policy.limit());
  }

  private Decision tryAcquire(Policy policy, Key key, long permits, long limit) {
    Stopwatch watch = meters.start();
    Decision now = decideNow(policy, key, permits, limit, watch);
    return now != null
        ? now
        : askAndAwait(List.of(new PermitRequest(policy, key, permits, limit)), watch);
  }

  @Override
  public Decision tryAcquire(List<PermitRequest> asks) {
    if (asks.size() == 1) {
      PermitRequest only = asks.get(0);
      return tryAcquire(only.policy(), only.key(), only.permits(), only.limit());
    }
    Stopwatch watch = meters.start();
    Decision now = decideNow(asks, watch);
    return now != null ? now : askAndAwait(asks, watch);
  }

  private Decision askAndAwait(List<PermitRequest> asks, Stopwatch watch) {
    return start(asks, watch).await(timeout);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(List<PermitRequest> asks) {
    Stopwatch watch = meters.start();
    Decision now = decideNow(asks, watch);
    if (now != null) {
      return CompletableFuture.completedStage(now);
    }
    PendingDecision asking = start(asks, watch);
    deadlines.bound(asking);
    return asking.decision().minimalCompletionStage();
  }

  // Decides without any waiting, as most requests are. Makes nothing but the decision, which is
  // why it isn't given an Ask.
  private @Nullable Decision decideNow(
      Policy policy, Key key, long permits, long limit, Stopwatch watch) {
    requireCountable(policy);
    RequestTerms terms = allTerms.of(policy, permits, limit);
    Decision now = terms == null || closed.get() ? null : supply.decideNow(terms, key);
    if (now != null) {
      meters.decided(now);
      watch.stop();
    }
    return now;
  }

  private @Nullable Decision decideNow(List<PermitRequest> asks, Stopwatch watch) {
    if (asks.size() == 1) {
      PermitRequest only = asks.get(0);
      return decideNow(only.policy(), only.key(), only.permits(), only.limit(), watch);
    }
    asks.forEach(ask -> requireCountable(ask.policy()));
    List<RequestTerms> all = allTerms.of(asks);
    if (all.isEmpty() || closed.get()) {
      return null;
    }
    List<Decision> parts = supply.decideNow(all, keys(asks));
    if (parts == null) {
      return null;
    }
    parts.forEach(meters::decided);
    watch.stop();
    return RequestDecision.of(parts);
  }

  private static List<Key> keys(List<PermitRequest> asks) {
    List<Key> keys = new ArrayList<>(asks.size());
    for (PermitRequest ask : asks) {
      keys.add(ask.key());
    }
    return keys;
  }

  private PendingDecision start(List<PermitRequest> asks, Stopwatch watch) {
    PendingDecision asking = new PendingDecision(asked(asks, false), supply, this::conclude);
    if (watch != Stopwatch.NONE) {
      asking.whenDecided(watch::stop);
    }
    return ask(asking);
  }

  @Override
  public Decision peek(PermitRequest ask) {
    List<PendingRequest> looked = asked(List.of(ask), true);
    return ask(new PendingDecision(looked, supply, verdicts -> verdicts.get(0).part(true)))
        .await(timeout);
  }

  private PendingDecision ask(PendingDecision asking) {
    if (closed.get()) {
      asking.refuse();
    } else {
      asking.ask();
    }
    return asking;
  }

  private List<PendingRequest> asked(List<PermitRequest> asks, boolean peeks) {
    if (asks.isEmpty()) {
      throw new IllegalArgumentException("a request asks at least one policy");
    }
    asks.forEach(ask -> requireCountable(ask.policy()));
    if (asks.size() == 1) {
      PermitRequest ask = asks.get(0);
      return List.of(PendingRequest.of(ask, inForce(ask), peeks));
    }
    int now = load.of(asks);
    return asks.stream()
        .map(ask -> PendingRequest.of(ask, limits.of(ask.policy(), ask.limit(), now), peeks))
        .toList();
  }

  // Policies of annotations are refused at start-up; this is for those that are made by hand.
  private void requireCountable(Policy policy) {
    if (!algorithms.contains(policy.algorithm())) {
      throw new IllegalArgumentException(
          "policy %s: algorithm = %s: the store counts only by %s"
              .formatted(policy.name(), policy.algorithm(), algorithms));
    }
  }

  private Decision conclude(List<PolicyVerdict> verdicts) {
    boolean refused = verdicts.stream().anyMatch(PolicyVerdict::blocks);
    if (verdicts.size() == 1) {
      return conclude(verdicts.get(0), !refused);
    }
    return RequestDecision.of(verdicts.stream().map(each -> conclude(each, !refused)).toList());
  }

  private Decision conclude(PolicyVerdict verdict, boolean kept) {
    execute(verdict, kept);
    Decision part = verdict.part(kept);
    if (kept || !verdict.admits()) {
      meters.decided(part);
    }
    return part;
  }

  // What is counted here the store hears of later; of what nobody keeps it never does.
  private void execute(PolicyVerdict verdict, boolean kept) {
    long surplus = verdict.surplus(kept);
    long used = verdict.grant().permits() - surplus;
    boolean local = verdict.basis() == DecidedBy.LOCAL;
    if (surplus > 0) {
      BucketRequest wish = verdict.asked().ownWish();
      if (local) {
        supply.giveBackHere(wish, verdict.grant().stamp(), surplus);
      } else {
        supply.giveBack(wish, verdict.grant().stamp(), surplus);
      }
    }
    if (local && used > 0) {
      PermitRequest ask = verdict.asked().ask();
      PermitRequest debt = new PermitRequest(ask.policy(), ask.key(), used, ask.limit());
      supply.owe(PendingRequest.wish(debt, inForce(debt), false));
    }
  }

  @Override
  public void refund(Decision decision) {
    decision.parts().forEach(each -> refundPart(RequestDecision.made(each)));
  }

  private void refundPart(RequestDecision part) {
    long permits = part.giveBack();
    if (permits > 0 && !closed.get()) {
      PermitRequest was = new PermitRequest(part.policy(), part.key(), permits, part.limit());
      EffectiveLimit inForce = inForce(was);
      if (part.degraded()) {
        supply.forgive(was, inForce, part.stamp());
      } else {
        supply.giveBack(PendingRequest.wish(was, inForce, false), part.stamp(), permits);
      }
    }
  }

  @Override
  public void charge(PermitRequest debt) {
    requireCountable(debt.policy());
    if (!closed.get()) {
      supply.charge(debt, inForce(debt));
    }
  }

  private EffectiveLimit inForce(PermitRequest ask) {
    return limits.of(ask.policy(), ask.limit());
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      meters.close();
      supply.close();
      background.close(); // last: what is leased is given back by its clock
    }
  }
}
