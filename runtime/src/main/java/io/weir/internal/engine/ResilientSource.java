package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.LocalKnowledge;
import io.weir.internal.permits.PermitSource;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits of this node: those of the shared store, and what to decide by while it is away.
 *
 * <p>Safe for concurrent use.
 *
 * @param shared where permits come from
 * @param local this node's own count, for policies that go on by it; always answers at once
 * @param onStoreFailure what a policy does that leaves it to the settings
 * @param outage tells about failures
 * @param limits what is in force, and what of it is kept back for this
 */
record ResilientSource(
    PermitSource shared,
    PermitSource local,
    Supplier<OnStoreFailure> onStoreFailure,
    OutageLog outage,
    LimitCalculator limits) {

  /** The decision if the source has the permits at hand, or knows that there are none. */
  @Nullable Decision decideNow(RequestTerms terms, Key key) {
    try {
      return shared.decideNow(terms, key);
    } catch (RuntimeException | LinkageError broken) {
      outage.failed(broken);
      return null;
    }
  }

  /** The admissions by all policies of a request if the source has all its permits at hand. */
  @Nullable List<Decision> decideNow(List<RequestTerms> allTerms, List<Key> keys) {
    try {
      return shared.decideNow(allTerms, keys);
    } catch (RuntimeException | LinkageError broken) {
      outage.failed(broken);
      return null;
    }
  }

  CompletionStage<List<Optional<Grant>>> take(List<BucketRequest> wishes) {
    try {
      return shared.take(wishes);
    } catch (RuntimeException | LinkageError broken) {
      outage.failed(broken);
      return CompletableFuture.failedStage(broken);
    }
  }

  /** What the answers come to; where there is none, what is decided without the store. */
  List<PolicyVerdict> verdicts(List<PendingRequest> all, List<Optional<Grant>> answers) {
    List<PolicyVerdict> verdicts = new ArrayList<>(all.size());
    int from = 0;
    for (PendingRequest asked : all) {
      int to = from + (asked.inForce().reduced() ? 2 : 1);
      verdicts.add(
          asked
              .verdict(answers.subList(from, to), DecidedBy.STORE)
              .orElseGet(() -> withoutStore(asked)));
      from = to;
    }
    return spare(verdicts);
  }

  // A refusal that is known beforehand spares the others; but somebody must have refused.
  private static List<PolicyVerdict> spare(List<PolicyVerdict> all) {
    boolean refused = all.stream().anyMatch(each -> each.blocks() && !each.unasked());
    if (refused) {
      all.replaceAll(each -> each.unasked() ? each.withoutSay() : each);
    }
    return all;
  }

  PolicyVerdict withoutStore(PendingRequest asked) {
    OnStoreFailure policys = asked.ask().policy().onStoreFailure();
    return switch (policys == OnStoreFailure.DEFAULT ? onStoreFailure.get() : policys) {
      case DEFAULT, LOCAL -> locally(asked);
      case OPEN -> asked.open();
      case CLOSED -> asked.closed();
    };
  }

  // A node that can't even count by itself lets the request pass: the limiter is no outage.
  private PolicyVerdict locally(PendingRequest asked) {
    try {
      Optional<PendingRequest> mine = share(asked);
      if (mine.isEmpty()) {
        return asked.closed();
      }
      LocalKnowledge known =
          limits.reserve().isNone()
              ? shared.view(asked.ownWish(), mine.get().inForce().full())
              : LocalKnowledge.NOTHING; // what is kept back is nobody else's
      if (known.refusal().isPresent()) {
        return mine.get().refused(known.refusal().get());
      }
      PendingRequest share = mine.get().less(known.granted());
      List<Optional<Grant>> answers =
          local.take(share.wishes()).toCompletableFuture().getNow(List.of());
      return answers.isEmpty()
          ? asked.open()
          : share.verdict(answers, DecidedBy.LOCAL).orElseGet(asked::open);
    } catch (RuntimeException | LinkageError broken) {
      outage.failed(broken);
      return asked.open();
    }
  }

  private Optional<PendingRequest> share(PendingRequest asked) {
    OutageReserve reserve = limits.reserve();
    PermitRequest ask = asked.ask();
    return reserve.isNone()
        ? Optional.of(asked.share(shared.nodes()))
        : limits
            .share(ask.policy(), ask.limit(), shared.nodes())
            .map(share -> asked.share(share, reserve));
  }

  /** Notes for the store what was admitted by this node's own count, unless it was kept back. */
  void owe(BucketRequest debt) {
    if (limits.reserve().isNone()) {
      safely(() -> shared.owe(debt));
    }
  }

  /** Gives back what the store granted. */
  void giveBack(BucketRequest wish, long stamp, long permits) {
    safely(() -> shared.giveBack(wish, stamp, permits));
  }

  /** Gives back what was counted here and never noted for the store. */
  void giveBackHere(BucketRequest wish, long stamp, long permits) {
    safely(() -> local.giveBack(wish, stamp, permits));
  }

  /** Gives back what was counted here, so that the store needn't hear of it. */
  void forgive(PermitRequest ask, EffectiveLimit inForce, long stamp) {
    giveBackHere(share(ask, inForce), stamp, ask.permits());
    if (limits.reserve().isNone()) {
      safely(() -> shared.forgive(PendingRequest.wish(ask, inForce, false)));
    }
  }

  private BucketRequest share(PermitRequest ask, EffectiveLimit inForce) {
    OutageReserve reserve = limits.reserve();
    EffectiveLimit share = inForce.share(shared.nodes());
    if (!reserve.isNone()) {
      share = limits.share(ask.policy(), ask.limit(), shared.nodes()).orElse(share);
    }
    return PendingRequest.wish(ask, share, false, reserve.bucket(ask));
  }

  /** Charges the store, or this node's own count if the store can't be reached. */
  void charge(PermitRequest ask, EffectiveLimit inForce) {
    try {
      shared
          .charge(PendingRequest.wish(ask, inForce, false))
          .whenComplete((done, failure) -> charged(ask, inForce, failure));
    } catch (RuntimeException | LinkageError broken) {
      outage.failed(broken);
      charged(ask, inForce, broken);
    }
  }

  private void charged(PermitRequest ask, EffectiveLimit inForce, @Nullable Throwable failure) {
    if (failure != null) {
      local.charge(share(ask, inForce));
    }
  }

  private void safely(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | LinkageError broken) {
      outage.failed(broken);
    }
  }

  void close() {
    local.close();
    shared.close();
  }
}
