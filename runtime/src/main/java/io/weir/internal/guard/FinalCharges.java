package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.annotation.Count;
import io.weir.internal.extension.SafeCalls;
import io.weir.internal.permits.CombinedDecision;
import io.weir.internal.permits.RequestDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What stays charged of a request that is refused later. A caller that comes back needs the same
 * permits once more, so a bucket that has too few of them makes {@code Retry-After} later.
 */
final class FinalCharges {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final SafeCalls CALLS =
      new SafeCalls(
          System.getLogger(FinalCharges.class.getName()),
          "What a refused request has used up can't be asked: Retry-After may be too early");

  private FinalCharges() {}

  /**
   * The same refusal with a Retry-After at which all that stays charged can be taken again. Waits
   * for the store, if it has to be asked, at most for its time-out.
   */
  static Decision delayed(WeirRuntime weir, Decision refusal, DecisionHistory history) {
    return history.hasFinal()
        ? CALLS.get(() -> delayed(refusal, weir, history.lackingAfter(refusal)), refusal)
        : refusal;
  }

  private static Decision delayed(Decision refusal, WeirRuntime weir, List<PermitRequest> lacking) {
    return lacking.isEmpty() ? refusal : delayed(refusal, weir.recorder().peek(lacking));
  }

  /** The same without waiting. */
  static CompletionStage<Decision> delayedAsync(
      WeirRuntime weir, Decision refusal, DecisionHistory history) {
    CompletionStage<Decision> unchanged = CompletableFuture.completedFuture(refusal);
    return history.hasFinal()
        ? CALLS.get(() -> delayedAsync(refusal, weir, history.lackingAfter(refusal)), unchanged)
        : unchanged;
  }

  private static CompletionStage<Decision> delayedAsync(
      Decision refusal, WeirRuntime weir, List<PermitRequest> lacking) {
    return lacking.isEmpty()
        ? CompletableFuture.completedFuture(refusal)
        : weir.recorder()
            .peekAsync(lacking)
            .thenApply(peeked -> delayed(refusal, peeked))
            .exceptionally(trouble -> notAsked(refusal, trouble));
  }

  /** A refusal stays one, whatever goes wrong afterwards. */
  private static Decision notAsked(Decision refusal, Throwable trouble) {
    CALLS.failed(trouble);
    return refusal;
  }

  private static Decision delayed(Decision refusal, Decision peeked) {
    return peeked.admitted()
        ? refusal
        : CombinedDecision.retriedAfter(refusal, peeked.retryAfter().toNanos() / NANOS_PER_MICRO);
  }

  /**
   * The buckets that lack permits for another try.
   *
   * @param kept the decisions that are final
   * @param all these and all others of the request, refusals too
   * @return what another try takes of each of these buckets
   */
  static List<PermitRequest> lacking(List<Decision> kept, List<Decision> all) {
    List<PermitRequest> lacking = new ArrayList<>();
    List<Decision> charged = parts(kept).stream().filter(FinalCharges::stays).toList();
    for (int i = 0; i < charged.size(); i++) {
      Decision part = charged.get(i);
      boolean last =
          charged.subList(i + 1, charged.size()).stream().noneMatch(other -> shares(other, part));
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

  /** A refusal is a failure, and a policy in shadow mode keeps nobody waiting. */
  private static boolean stays(Decision part) {
    return part.permits() > 0
        && !part.refunded()
        && !part.policy().shadow()
        && part.policy().count() != Count.SUCCESSES;
  }

  private static long needed(Decision charged, List<Decision> all) {
    return parts(all).stream()
        .filter(each -> shares(each, charged))
        .mapToLong(each -> RequestDecision.cast(each).requested())
        .sum();
  }

  private static boolean shares(Decision one, Decision other) {
    return one.policy().spec().equals(other.policy().spec()) && one.key().equals(other.key());
  }
}
