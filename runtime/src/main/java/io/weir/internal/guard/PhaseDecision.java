package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.DecisionSpan;
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
 * Decides one phase: its permit requests, and what a policy source refuses by itself. If the source
 * refuses, the limiter isn't asked, and so nothing is charged. What only policies in shadow mode
 * would have refused is reported beside the decision of the others.
 */
final class PhaseDecision {
  /** The time to wait where the source gives none. */
  private static final long SOON_MICROS = 1_000_000;

  private PhaseDecision() {}

  /**
   * Makes the refusal of a policy that a source refuses.
   *
   * @param wanted what would have been asked of the limiter
   */
  static Decision of(RequestServices services, AppliedPolicy applied, PermitRequest wanted) {
    long nowMicros = services.ticker().epochMicros();
    Policy policy = wanted.policy();
    Reason reason = applied.refusal().orElseThrow();
    long retry = applied.refusedUntil().map(until -> wait(until, nowMicros)).orElse(SOON_MICROS);
    return services
        .limiter()
        .unasked(policy, wanted)
        .outcome(policy.shadow() ? Outcome.SHADOW_REFUSED : Outcome.REFUSED, reason)
        .after(retry, retry)
        .degraded(reason == Reason.STORE_UNAVAILABLE)
        .build();
  }

  private static long wait(Instant until, long nowMicros) {
    return Math.max(1, ChronoUnit.MICROS.between(Instant.EPOCH, until) - nowMicros);
  }

  /** Decides a phase; null if there is nothing to decide. Waits for the store. */
  static @Nullable Decision decide(
      RequestServices services, DecisionHistory history, List<PermitRequest> requests) {
    List<Decision> refusals = history.takeRefusals();
    if (isDecided(services, refusals, requests)) {
      return refusals.isEmpty()
          ? null
          : alone(services, services.limiter().currentSpan(), refusals);
    }
    return together(services.limiter().tryAcquire(requests, history.takeWaited()), refusals);
  }

  /**
   * Does the same without waiting.
   *
   * @param span the span that was current when the phase began
   * @return the result of {@code next}; empty if there is nothing to decide
   */
  static <T> CompletionStage<Optional<T>> decideAsync(
      RequestServices services,
      DecisionHistory history,
      List<PermitRequest> requests,
      @Nullable DecisionSpan span,
      Function<Decision, Optional<T>> next) {
    List<Decision> refusals = history.takeRefusals();
    if (isDecided(services, refusals, requests)) {
      return CompletableFuture.completedFuture(
          refusals.isEmpty() ? Optional.empty() : next.apply(alone(services, span, refusals)));
    }
    return services
        .limiter()
        .tryAcquireAsync(requests, history.takeWaited(), span)
        .thenApply(decision -> next.apply(together(decision, refusals)));
  }

  /** Returns whether the limiter need not be asked. */
  private static boolean isDecided(
      RequestServices services, List<Decision> refusals, List<PermitRequest> requests) {
    boolean refused = false;
    for (int i = 0; i < refusals.size(); i++) { // no iterator for each request
      services.limiter().record(refusals.get(i));
      refused |= !refusals.get(i).admitted();
    }
    return refused || requests.isEmpty();
  }

  private static Decision alone(
      RequestServices services, @Nullable DecisionSpan span, List<Decision> refusals) {
    Decision decision = DecisionCombiner.of(refusals);
    services.limiter().trace(span, decision);
    return decision;
  }

  private static Decision together(Decision decision, List<Decision> inShadow) {
    if (inShadow.isEmpty()) {
      return decision;
    }
    List<Decision> all = new ArrayList<>(inShadow.size() + 1);
    all.add(decision);
    all.addAll(inShadow);
    return DecisionCombiner.of(all);
  }
}
