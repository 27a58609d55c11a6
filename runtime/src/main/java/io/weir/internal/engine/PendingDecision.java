package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.internal.permits.BucketRequest;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request between its question to the store and its decision: decided once, by the answer or by
 * the end of the wait, whichever comes first. An answer that comes after gives back what it grants.
 *
 * <p>Safe for concurrent use.
 */
final class PendingDecision {
  private final List<PendingRequest> asked;
  private final ResilientSource supply;
  private final Function<List<PolicyVerdict>, Decision> conclusion;
  private final AtomicBoolean decided = new AtomicBoolean();
  private final CompletableFuture<Decision> decision = new CompletableFuture<>();

  PendingDecision(
      List<PendingRequest> asked,
      ResilientSource supply,
      Function<List<PolicyVerdict>, Decision> conclusion) {
    this.asked = asked;
    this.supply = supply;
    this.conclusion = conclusion;
  }

  CompletableFuture<Decision> decision() {
    return decision;
  }

  void whenDecided(Runnable then) {
    CompletionStage<Decision> stage = decision;
    stage.whenComplete((decided, mistake) -> then.run());
  }

  void ask() {
    List<BucketRequest> wishes = new ArrayList<>(asked.size());
    for (PendingRequest each : asked) {
      wishes.addAll(each.wishes());
    }
    supply.take(wishes).whenComplete((answers, failure) -> answered(wishes, answers));
  }

  private void answered(List<BucketRequest> wishes, @Nullable List<Optional<Grant>> answers) {
    if (answers == null) {
      giveUp();
    } else if (!decide(() -> supply.verdicts(asked, answers))) {
      giveBack(wishes, answers);
    }
  }

  private void giveBack(List<BucketRequest> wishes, List<Optional<Grant>> late) {
    for (int i = 0; i < wishes.size(); i++) {
      BucketRequest wish = wishes.get(i);
      late.get(i)
          .filter(grant -> grant.permits() > 0)
          .ifPresent(grant -> supply.giveBack(wish, grant.stamp(), grant.permits()));
    }
  }

  /** Decides without the store, unless it is decided. */
  void giveUp() {
    decide(() -> asked.stream().map(supply::withoutStore).toList());
  }

  /** Refuses without asking anybody. */
  void refuse() {
    decide(() -> asked.stream().map(PendingRequest::closed).toList());
  }

  private boolean decide(Supplier<List<PolicyVerdict>> verdicts) {
    if (!decided.compareAndSet(false, true)) {
      return false;
    }
    try {
      decision.complete(conclusion.apply(verdicts.get()));
    } catch (RuntimeException | Error mistake) {
      decision.completeExceptionally(mistake); // or whoever waits would wait for ever
    }
    return true;
  }

  /** Gives up when the wait is over. */
  void late(StoreTimeout timeout) {
    if (!decision.isDone()) {
      supply.outage().failed(new TimeoutException("no answer within " + timeout.duration()));
      giveUp();
    }
  }

  /** Waits for the decision, but no longer than the store may take. */
  Decision await(StoreTimeout timeout) {
    long began = timeout.begin();
    try {
      if (!isDecidedWithin(timeout.nanos()) && !isDecidedWithin(timeout.extension(began))) {
        late(timeout);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      giveUp();
    }
    return decision.join();
  }

  private boolean isDecidedWithin(long nanos) throws InterruptedException {
    try {
      decision.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException over) {
      return false;
    } catch (ExecutionException mistake) {
      // join() says it
    }
    return true;
  }
}
