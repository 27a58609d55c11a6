package io.weir.internal.engine;

import io.weir.Decision;
import io.weir.internal.clock.ExtendableTimeout;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.value.DurationText;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a decision of the store. It is decided once: by the store's answer, or without the
 * store after the time-out. The permits of an answer that arrives later are given back.
 *
 * <p>Safe for concurrent use.
 */
final class PendingDecision {
  private final List<ResolvedPermitRequest> requests;
  private final ResilientPermitSource source;
  private final Function<List<PolicyVerdict>, Decision> conclusion;
  private final AtomicBoolean decided = new AtomicBoolean();
  private volatile boolean waitedBefore;
  private volatile List<BucketRequest> asked = List.of();
  private final CompletableFuture<Decision> decision = new CompletableFuture<>();

  PendingDecision(
      List<ResolvedPermitRequest> requests,
      ResilientPermitSource source,
      Function<List<PolicyVerdict>, Decision> conclusion) {
    this.requests = requests;
    this.source = source;
    this.conclusion = conclusion;
  }

  CompletableFuture<Decision> decision() {
    return decision;
  }

  /**
   * Notes that it has waited for something else, so that less than the time-out is left for the
   * store.
   */
  void markWaitedBefore() {
    waitedBefore = true;
  }

  void whenDecided(Runnable action) {
    CompletionStage<Decision> stage = decision;
    stage.whenComplete((decided, mistake) -> action.run());
  }

  /**
   * Asks the store; may use this thread for that if it will wait anyway. Asks nothing if a policy
   * refuses because of the load alone.
   */
  void start(boolean blocks) {
    List<BucketRequest> bucketRequests = isOverloaded() ? List.of() : bucketRequests();
    if (bucketRequests.isEmpty()) {
      decide(() -> requests.stream().map(PolicyVerdict::unasked).toList());
      return;
    }
    asked = bucketRequests;
    source
        .take(bucketRequests, blocks)
        .whenComplete((answers, failure) -> answered(bucketRequests, answers));
  }

  private boolean isOverloaded() {
    for (ResolvedPermitRequest each : requests) {
      if (each.isOverloaded() && !each.request().policy().shadow()) {
        return true;
      }
    }
    return false;
  }

  private List<BucketRequest> bucketRequests() {
    if (requests.size() == 1) {
      return requests.get(0).bucketRequests();
    }
    List<BucketRequest> all = new ArrayList<>(requests.size());
    for (ResolvedPermitRequest each : requests) {
      all.addAll(each.bucketRequests());
    }
    return all;
  }

  private void answered(
      List<BucketRequest> bucketRequests, @Nullable List<Optional<Grant>> answers) {
    if (answers == null) {
      decideWithoutStore();
    } else if (!decide(() -> source.verdicts(requests, answers))) {
      giveBack(bucketRequests, answers);
    }
  }

  private void giveBack(List<BucketRequest> bucketRequests, List<Optional<Grant>> lateAnswers) {
    for (int i = 0; i < bucketRequests.size(); i++) {
      BucketRequest request = bucketRequests.get(i);
      lateAnswers
          .get(i)
          .filter(grant -> grant.permits() > 0)
          .ifPresent(grant -> source.giveBack(request, grant.stamp(), grant.permits()));
    }
  }

  private void decideWithoutStore() {
    decide(() -> requests.stream().map(source::withoutStore).toList());
  }

  void decideClosed() {
    decide(() -> requests.stream().map(PolicyVerdict::closed).toList());
  }

  private boolean decide(Supplier<List<PolicyVerdict>> verdicts) {
    if (!decided.compareAndSet(false, true)) {
      return false;
    }
    try {
      decision.complete(conclusion.apply(verdicts.get()));
    } catch (RuntimeException | Error mistake) {
      decision.completeExceptionally(mistake); // or the caller would wait forever
    }
    return true;
  }

  private void timedOut(ExtendableTimeout timeout) {
    if (!decision.isDone() && !waitedBefore) { // else the store has had less time than the time-out
      source.failed(
          new TimeoutException(
              "no answer within " + DurationText.inWords(Duration.ofNanos(timeout.length()))));
    }
    decideWithoutStore();
  }

  /** Waits for the decision in this thread, at most for the time-out since the wait began. */
  Decision await(ExtendableTimeout timeout, long began) {
    try {
      long left = timeout.length() - timeout.elapsed(began);
      boolean decidedInTime = decision.isDone() || isDecidedWithin(left);
      for (boolean again = false; !decidedInTime; again = true) {
        left = extension(timeout, began, again);
        if (left == 0) {
          timedOut(timeout);
        }
        decidedInTime = left == 0 || isDecidedWithin(left);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      decideWithoutStore();
    }
    return decision.join();
  }

  private boolean isDecidedWithin(long nanos) throws InterruptedException {
    try {
      decision.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException over) {
      return false;
    } catch (ExecutionException mistake) {
      // join() throws it
    }
    return true;
  }

  /**
   * Has the scheduler decide without the store after the time-out since the wait began; no thread
   * waits.
   */
  void timeOutBy(ScheduledExecutorService scheduler, ExtendableTimeout timeout, long began) {
    long left = Math.max(0, timeout.length() - timeout.elapsed(began));
    after(left, scheduler, () -> timeIsUp(scheduler, timeout, began, false));
  }

  private void timeIsUp(
      ScheduledExecutorService scheduler, ExtendableTimeout timeout, long began, boolean again) {
    long extension = extension(timeout, began, again);
    if (extension == 0) {
      timedOut(timeout);
    } else {
      after(extension, scheduler, () -> timeIsUp(scheduler, timeout, began, true));
    }
  }

  private long extension(ExtendableTimeout timeout, long began, boolean again) {
    long silent = waitedBefore ? ExtendableTimeout.UNKNOWN : source.silentNanos(asked);
    return timeout.extension(began, again, silent);
  }

  private void after(long nanos, ScheduledExecutorService scheduler, Runnable action) {
    if (decision.isDone()) {
      return;
    }
    try {
      Future<?> alarm = scheduler.schedule(action, nanos, TimeUnit.NANOSECONDS);
      whenDecided(() -> alarm.cancel(false));
    } catch (RejectedExecutionException closed) {
      decideWithoutStore();
    }
  }
}
