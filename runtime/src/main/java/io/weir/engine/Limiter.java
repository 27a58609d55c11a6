package io.weir.engine;

import io.weir.Ask;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.store.Wish;
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
final class Limiter implements RateLimiter {
  private final Supply supply;
  private final Set<Algorithm> algorithms;
  private final LoadReader load;
  private final Limits limits;
  private final Offers offers;
  private final Meters meters;
  private final Background background;
  private final Deadlines deadlines;
  private final StoreTimeout timeout;
  private final AtomicBoolean closed = new AtomicBoolean();

  Limiter(
      Supply supply,
      Set<Algorithm> algorithms,
      Limits limits,
      Meters meters,
      Background background,
      StoreTimeout timeout) {
    this.supply = supply;
    this.algorithms = algorithms;
    this.load = limits.load();
    this.limits = limits;
    this.offers = new Offers(limits);
    this.meters = meters;
    this.background = background;
    this.deadlines = new Deadlines(timeout, background.scheduler());
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
    return now != null ? now : askAndAwait(List.of(new Ask(policy, key, permits, limit)), watch);
  }

  @Override
  public Decision tryAcquire(List<Ask> asks) {
    if (asks.size() == 1) {
      Ask only = asks.get(0);
      return tryAcquire(only.policy(), only.key(), only.permits(), only.limit());
    }
    Stopwatch watch = meters.start();
    Decision now = decideNow(asks, watch);
    return now != null ? now : askAndAwait(asks, watch);
  }

  private Decision askAndAwait(List<Ask> asks, Stopwatch watch) {
    return start(asks, watch).await(timeout);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(List<Ask> asks) {
    Stopwatch watch = meters.start();
    Decision now = decideNow(asks, watch);
    if (now != null) {
      return CompletableFuture.completedStage(now);
    }
    Asking asking = start(asks, watch);
    deadlines.bound(asking);
    return asking.decision().minimalCompletionStage();
  }

  // Decides without any waiting, as most requests are. Makes nothing but the decision, which is
  // why it isn't given an Ask.
  private @Nullable Decision decideNow(
      Policy policy, Key key, long permits, long limit, Stopwatch watch) {
    requireCountable(policy);
    Offer offer = offers.of(policy, permits, limit);
    Decision now = offer == null || closed.get() ? null : supply.decideNow(offer, key);
    if (now != null) {
      meters.decided(now);
      watch.stop();
    }
    return now;
  }

  private @Nullable Decision decideNow(List<Ask> asks, Stopwatch watch) {
    if (asks.size() == 1) {
      Ask only = asks.get(0);
      return decideNow(only.policy(), only.key(), only.permits(), only.limit(), watch);
    }
    asks.forEach(ask -> requireCountable(ask.policy()));
    List<Offer> all = offers.of(asks);
    if (all.isEmpty() || closed.get()) {
      return null;
    }
    List<Decision> parts = supply.decideNow(all, keys(asks));
    if (parts == null) {
      return null;
    }
    parts.forEach(meters::decided);
    watch.stop();
    return Decision.of(parts);
  }

  private static List<Key> keys(List<Ask> asks) {
    List<Key> keys = new ArrayList<>(asks.size());
    for (Ask ask : asks) {
      keys.add(ask.key());
    }
    return keys;
  }

  private Asking start(List<Ask> asks, Stopwatch watch) {
    Asking asking = new Asking(asked(asks, false), supply, this::conclude);
    if (watch != Stopwatch.NONE) {
      asking.whenDecided(watch::stop);
    }
    return ask(asking);
  }

  @Override
  public Decision peek(Ask ask) {
    List<Asked> looked = asked(List.of(ask), true);
    return ask(new Asking(looked, supply, verdicts -> verdicts.get(0).part(true))).await(timeout);
  }

  private Asking ask(Asking asking) {
    if (closed.get()) {
      asking.refuse();
    } else {
      asking.ask();
    }
    return asking;
  }

  private List<Asked> asked(List<Ask> asks, boolean peeks) {
    if (asks.isEmpty()) {
      throw new IllegalArgumentException("a request asks at least one policy");
    }
    asks.forEach(ask -> requireCountable(ask.policy()));
    if (asks.size() == 1) {
      Ask ask = asks.get(0);
      return List.of(Asked.of(ask, inForce(ask), peeks));
    }
    int now = load.of(asks);
    return asks.stream()
        .map(ask -> Asked.of(ask, limits.of(ask.policy(), ask.limit(), now), peeks))
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

  private Decision conclude(List<Verdict> verdicts) {
    boolean refused = verdicts.stream().anyMatch(Verdict::blocks);
    if (verdicts.size() == 1) {
      return conclude(verdicts.get(0), !refused);
    }
    return Decision.of(verdicts.stream().map(each -> conclude(each, !refused)).toList());
  }

  private Decision conclude(Verdict verdict, boolean kept) {
    settle(verdict, kept);
    Decision part = verdict.part(kept);
    if (kept || !verdict.admits()) {
      meters.decided(part);
    }
    return part;
  }

  // What is counted here the store hears of later; of what nobody keeps it never does.
  private void settle(Verdict verdict, boolean kept) {
    long surplus = verdict.surplus(kept);
    long used = verdict.grant().permits() - surplus;
    boolean local = verdict.basis() == Basis.LOCAL;
    if (surplus > 0) {
      Wish wish = verdict.asked().ownWish();
      if (local) {
        supply.giveBackHere(wish, verdict.grant().stamp(), surplus);
      } else {
        supply.giveBack(wish, verdict.grant().stamp(), surplus);
      }
    }
    if (local && used > 0) {
      Ask ask = verdict.asked().ask();
      Ask debt = new Ask(ask.policy(), ask.key(), used, ask.limit());
      supply.owe(Asked.wish(debt, inForce(debt), false));
    }
  }

  @Override
  public void refund(Decision decision) {
    decision.parts().forEach(this::refundPart);
  }

  private void refundPart(Decision part) {
    long permits = part.giveBack();
    if (permits > 0 && !closed.get()) {
      Ask was = new Ask(part.policy(), part.key(), permits, part.limit());
      InForce inForce = inForce(was);
      if (part.degraded()) {
        supply.forgive(was, inForce, part.stamp());
      } else {
        supply.giveBack(Asked.wish(was, inForce, false), part.stamp(), permits);
      }
    }
  }

  @Override
  public void charge(Ask debt) {
    requireCountable(debt.policy());
    if (!closed.get()) {
      supply.charge(debt, inForce(debt));
    }
  }

  private InForce inForce(Ask ask) {
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
