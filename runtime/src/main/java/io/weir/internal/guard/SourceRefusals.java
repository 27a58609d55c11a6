package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.internal.permits.CombinedDecision;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.AppliedPolicy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides the requests of a phase, together with what a policy source refuses whatever is left. If
 * it refuses any, nothing is asked of the limiter, and so nothing is charged. What only policies in
 * shadow mode would have refused is told beside the decision of the others.
 */
final class SourceRefusals {
  /** Nobody knows when; soon. */
  private static final long SOON_MICROS = 1_000_000;

  private SourceRefusals() {}

  /**
   * The refusal of a policy that a source has refused.
   *
   * @param wanted what would have been asked of the limiter
   * @param nowMicros the time of day
   */
  static Decision of(AppliedPolicy applied, PermitRequest wanted, long nowMicros) {
    Policy policy = wanted.policy();
    Reason reason = applied.refusal().orElseThrow();
    long retry = applied.refusedUntil().map(until -> wait(until, nowMicros)).orElse(SOON_MICROS);
    return RequestDecision.builder(policy, wanted.key())
        .outcome(policy.shadow() ? Outcome.SHADOW_REFUSED : Outcome.REFUSED, reason)
        .remaining(wanted.limit(), 0)
        .after(retry, retry)
        .degraded(reason == Reason.STORE_UNAVAILABLE)
        .build();
  }

  private static long wait(Instant until, long nowMicros) {
    return Math.max(1, ChronoUnit.MICROS.between(Instant.EPOCH, until) - nowMicros);
  }

  /** Decides a phase; null if there is nothing to decide. Waits for the store. */
  static @Nullable Decision decide(
      WeirRuntime weir, DecisionHistory history, List<PermitRequest> requests) {
    List<Decision> refusals = history.takeRefusals();
    if (isDecided(weir, refusals, requests)) {
      return alone(refusals);
    }
    return together(weir.recorder().tryAcquire(requests, history.takeWaited()), refusals);
  }

  /**
   * The same without waiting.
   *
   * @param next goes on with the decision
   * @return what {@code next} made of it; nothing if there is nothing to decide
   */
  static <T> CompletionStage<Optional<T>> decideAsync(
      WeirRuntime weir,
      DecisionHistory history,
      List<PermitRequest> requests,
      Function<Decision, Optional<T>> next) {
    List<Decision> refusals = history.takeRefusals();
    if (isDecided(weir, refusals, requests)) {
      Decision known = alone(refusals);
      return CompletableFuture.completedFuture(
          known == null ? Optional.empty() : next.apply(known));
    }
    return weir.recorder()
        .tryAcquireAsync(requests, history.takeWaited())
        .thenApply(decision -> next.apply(together(decision, refusals)));
  }

  /** Whether there is nothing to ask of the limiter. */
  private static boolean isDecided(
      WeirRuntime weir, List<Decision> refusals, List<PermitRequest> requests) {
    boolean refused = false;
    for (int i = 0; i < refusals.size(); i++) { // no iterator for each request
      weir.recorder().record(refusals.get(i));
      refused |= !refusals.get(i).admitted();
    }
    return refused || requests.isEmpty();
  }

  private static @Nullable Decision alone(List<Decision> refusals) {
    return refusals.isEmpty() ? null : CombinedDecision.of(refusals);
  }

  private static Decision together(Decision decision, List<Decision> inShadow) {
    if (inShadow.isEmpty()) {
      return decision;
    }
    List<Decision> all = new ArrayList<>(inShadow.size() + 1);
    all.add(decision);
    all.addAll(inShadow);
    return CombinedDecision.of(all);
  }
}
