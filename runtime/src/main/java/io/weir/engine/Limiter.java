package io.weir.engine;

import io.weir.Ask;
import io.weir.Decision;
import io.weir.RateLimiter;
import io.weir.store.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides requests: asks for permits for all policies of a request at once, and gives all of them
 * back if one policy refuses.
 *
 * <p>Safe for concurrent use.
 */
final class Limiter implements RateLimiter {
  private final Supply supply;
  private final LoadReader load;
  private final Meters meters;
  private final Deadlines deadlines;
  private final Duration timeout;
  private final AtomicBoolean closed = new AtomicBoolean();

  Limiter(Supply supply, LoadReader load, Meters meters, Deadlines deadlines, Duration timeout) {
    this.supply = supply;
    this.load = load;
    this.meters = meters;
    this.deadlines = deadlines;
    this.timeout = timeout;
  }

  @Override
  public Decision tryAcquire(List<Ask> asks) {
    return start(asks).await(timeout);
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(List<Ask> asks) {
    Asking asking = start(asks);
    deadlines.bound(asking);
    return asking.decision().minimalCompletionStage();
  }

  private Asking start(List<Ask> asks) {
    Asking asking = new Asking(asked(asks, false), supply, this::conclude);
    meters.time(asking);
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
    int now = load.of(asks);
    return asks.stream().map(ask -> Asked.of(ask, now, peeks)).toList();
  }

  private Decision conclude(List<Verdict> verdicts) {
    boolean refused = verdicts.stream().anyMatch(Verdict::blocks);
    List<Decision> parts = new ArrayList<>(verdicts.size());
    for (Verdict verdict : verdicts) {
      giveBackSurplus(verdict, !refused);
      Decision part = verdict.part(!refused);
      parts.add(part);
      if (!refused || !verdict.admits()) {
        meters.decided(part);
      }
    }
    return parts.size() == 1 ? parts.get(0) : Decision.of(parts);
  }

  private void giveBackSurplus(Verdict verdict, boolean kept) {
    long surplus = verdict.surplus(kept);
    if (surplus > 0) {
      Wish wish = verdict.asked().ownWish();
      supply.giveBack(verdict.degraded(), wish, verdict.grant().stamp(), surplus);
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
      supply.giveBack(part.degraded(), wish(was), part.stamp(), permits);
    }
  }

  @Override
  public void charge(Ask debt) {
    if (!closed.get()) {
      supply.charge(wish(debt));
    }
  }

  private Wish wish(Ask ask) {
    InForce inForce = InForce.of(ask.policy(), ask.limit(), load.of(List.of(ask)));
    return Asked.wish(ask, inForce, false);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      meters.close();
      deadlines.close();
      supply.close();
    }
  }
}
