package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.annotation.Count;
import io.weir.internal.engine.InternalRateLimiter;
import io.weir.internal.extension.SafeCalls;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.internal.permits.RequestDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Delays the refusal of a request that has final charges. The caller's next try needs the same
 * permits again, so a bucket that has too few of them delays {@code Retry-After}.
 */
final class RetryAfterAdjuster {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final SafeCalls CALLS =
      new SafeCalls(
          System.getLogger(RetryAfterAdjuster.class.getName()),
          "the final charges of a refused request can't be read from the store: Retry-After may be too early");

  private RetryAfterAdjuster() {}

  /**
   * Delays the Retry-After of a refusal until all final charges can be taken again. Waits for the
   * store, if it has to be asked, at most for its time-out.
   */
  static Decision delayed(InternalRateLimiter limiter, Decision refusal, DecisionHistory history) {
    return history.hasFinal()
        ? CALLS.get(() -> delayed(refusal, limiter, lacking(history, refusal)), refusal)
        : refusal;
  }

  private static Decision delayed(
      Decision refusal, InternalRateLimiter limiter, List<PermitRequest> lacking) {
    return lacking.isEmpty() ? refusal : delayed(refusal, limiter.peek(lacking));
  }

  static CompletionStage<Decision> delayedAsync(
      InternalRateLimiter limiter, Decision refusal, DecisionHistory history) {
    CompletionStage<Decision> unchanged = CompletableFuture.completedFuture(refusal);
    return history.hasFinal()
        ? CALLS.get(() -> delayedAsync(refusal, limiter, lacking(history, refusal)), unchanged)
        : unchanged;
  }

  private static CompletionStage<Decision> delayedAsync(
      Decision refusal, InternalRateLimiter limiter, List<PermitRequest> lacking) {
    return lacking.isEmpty()
        ? CompletableFuture.completedFuture(refusal)
        : limiter
            .peekAsync(lacking)
            .thenApply(peeked -> delayed(refusal, peeked))
            .exceptionally(trouble -> notAsked(refusal, trouble));
  }

  /** Returns the refusal as it is if the store can't be asked. */
  private static Decision notAsked(Decision refusal, Throwable trouble) {
    CALLS.failed(trouble);
    return refusal;
  }

  private static Decision delayed(Decision refusal, Decision peeked) {
    if (peeked.admitted()) {
      return refusal;
    }
    // All parts of a request together may take more than there ever is: each of them doesn't.
    long micros =
        peeked.neverAdmitted()
            ? peeked.policy().spec().windowMicros()
            : peeked.retryAfter().toNanos() / NANOS_PER_MICRO;
    return DecisionCombiner.retriedAfter(refusal, micros);
  }

  private static List<PermitRequest> lacking(DecisionHistory history, Decision refusal) {
    return lacking(history.finals(), history.with(refusal));
  }

  /**
   * Finds the buckets that lack permits for another try.
   *
   * @param all all decisions of the request, including refusals
   * @return a permit request for what another try takes from each of these buckets
   */
  static List<PermitRequest> lacking(List<Decision> kept, List<Decision> all) {
    List<PermitRequest> lacking = new ArrayList<>();
    List<Decision> charged = parts(kept).stream().filter(RetryAfterAdjuster::stays).toList();
    for (int i = 0; i < charged.size(); i++) {
      Decision part = charged.get(i);
      boolean last =
          charged.subList(i + 1, charged.size()).stream()
              .noneMatch(other -> DecisionHistory.haveOneBucket(other, part));
      if (last) { // it knows best what is left
        long needed = needed(part, all);
        if (part.remaining() < needed) {
          lacking.add(RequestDecision.cast(part).again(needed));
        }
      }
    }
    return lacking;
  }

  private static List<Decision> parts(List<Decision> decisions) {
    return decisions.stream().flatMap(each -> each.parts().stream()).distinct().toList();
  }

  /** A refusal is a failure, so SUCCESSES don't count it; policies in shadow mode don't delay. */
  private static boolean stays(Decision part) {
    return part.permits() > 0
        && !part.refunded()
        && !part.policy().shadow()
        && part.policy().count() != Count.SUCCESSES;
  }

  private static long needed(Decision charged, List<Decision> all) {
    return parts(all).stream()
        .filter(each -> DecisionHistory.haveOneBucket(each, charged))
        .mapToLong(each -> RequestDecision.cast(each).requested())
        .sum();
  }
}
