package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.PermitRequest;
import io.weir.internal.extension.SafeCalls;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * One request that is asked about, on its way to a decision. Safe for concurrent use, as far as its
 * steps come one after the other.
 */
final class CheckedRequest {
  private final WeirRuntime weir;
  private final RequestInfo request;
  private final DecisionHistory history;
  private final SafeCalls calls;

  /**
   * Begins to decide a request.
   *
   * @param calls takes note of trouble of the limiter's own
   */
  CheckedRequest(WeirRuntime weir, RequestInfo request, SafeCalls calls) {
    this.weir = weir;
    this.calls = calls;
    this.request = request;
    this.history = new DecisionHistory(weir.recorder());
  }

  DecisionHistory history() {
    return history;
  }

  /** What its policies ask of the limiter; fails only if one of them can't count the request. */
  CompletionStage<List<PermitRequest>> requests() {
    if (!weir.enabled()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return asked().exceptionally(this::undecided).thenApply(this::withLoad);
  }

  private CompletionStage<List<PermitRequest>> asked() {
    try {
      return PhaseRequests.ofBothAsync(weir.asked(request.endpoint()), request, history)
          .thenApply(this::orByDefault);
    } catch (RuntimeException | LinkageError trouble) {
      return CompletableFuture.failedFuture(trouble);
    }
  }

  /** What has no other policy has that of {@code weir.default.*}, as an endpoint here would. */
  private List<PermitRequest> orByDefault(List<PermitRequest> wanted) {
    return wanted.isEmpty()
        ? PhaseRequests.ofEndpoint(weir.askedByDefault(), request, history)
        : wanted;
  }

  /** The limiter's failure must not become the request's. */
  private List<PermitRequest> undecided(Throwable trouble) {
    Throwable cause =
        trouble instanceof CompletionException && trouble.getCause() != null
            ? trouble.getCause()
            : trouble;
    if (cause instanceof InvalidRequestException invalid) {
      throw invalid;
    }
    calls.failed(cause);
    return List.of();
  }

  private List<PermitRequest> withLoad(List<PermitRequest> wanted) {
    OptionalDouble load = request.load();
    if (load.isEmpty()) {
      return wanted;
    }
    List<PermitRequest> all = new ArrayList<>(wanted.size());
    for (PermitRequest each : wanted) {
      all.add(each.withLoad(load.getAsDouble()));
    }
    return all;
  }

  /** The decision of what is known of its policies. */
  Decision decided(Decision decision) {
    return history.knowsAll() ? decision : RequestDecision.incomplete(List.of(decision));
  }

  /** Tells the policy source that the request is over. */
  Optional<Decision> completed(Optional<Decision> decision) {
    if (decision.isPresent()) {
      weir.policySource().ifPresent(source -> source.completed(request, decision.get()));
    }
    return decision;
  }
}
