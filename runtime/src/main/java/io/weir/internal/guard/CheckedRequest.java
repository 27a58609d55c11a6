package io.weir.internal.guard;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.PermitRequest;
import io.weir.internal.extension.SafeCalls;
import io.weir.internal.extension.SafePolicySource;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the permit requests of one request that is checked but not served here, and reports its
 * decision. Safe for concurrent use, as far as its steps come one after the other.
 */
final class CheckedRequest {
  private final RequestServices services;
  private final NamedEndpointLookup endpoints;
  private final RequestInfo request;
  private final DecisionHistory history;
  private final Function<Refunds, DecisionHistory> histories;
  private final SafeCalls calls;
  private volatile @Nullable RequestInfo limited;

  /**
   * Begins to decide a request.
   *
   * @param histories begins the history of each reading
   * @param calls takes note of trouble of the limiter's own
   */
  CheckedRequest(
      RequestServices services,
      NamedEndpointLookup endpoints,
      RequestInfo request,
      Function<Refunds, DecisionHistory> histories,
      SafeCalls calls) {
    this.services = services;
    this.endpoints = endpoints;
    this.calls = calls;
    this.request = request;
    this.histories = histories;
    this.history = histories.apply(services);
  }

  DecisionHistory history() {
    return history;
  }

  /** Collects the permits that its policies ask for; fails only if one can't count the request. */
  CompletionStage<List<PermitRequest>> requests() {
    if (!services.isEnabled()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return asked()
        .handle(
            (wanted, trouble) -> withLoad(trouble == null ? wanted : undecided(trouble, history)));
  }

  private CompletionStage<List<PermitRequest>> asked() {
    CompletionStage<List<PermitRequest>> wanted = asked(request, history);
    List<? extends RequestInfo> others = request.otherReadings();
    if (!others.isEmpty()) {
      PermitRequestMerger all = new PermitRequestMerger();
      wanted = wanted.thenApply(all::and);
      for (RequestInfo each : others) { // one after the other, as one thread at a time may read
        wanted = wanted.thenCompose(before -> askedBeside(each)).thenApply(all::and);
      }
    }
    return wanted;
  }

  /**
   * Collects the permits of another reading, which asks conditions anew; its wait counts as the
   * request's.
   */
  private CompletionStage<List<PermitRequest>> askedBeside(RequestInfo reading) {
    DecisionHistory own = histories.apply(services);
    own.addWaited(history.waited());
    return asked(reading, own)
        .thenApply(
            wanted -> {
              history.include(own);
              return wanted;
            });
  }

  private CompletionStage<List<PermitRequest>> asked(RequestInfo reading, DecisionHistory own) {
    CompletionStage<List<PermitRequest>> wanted;
    try {
      wanted =
          PhaseRequestBuilder.ofBothAsync(
              endpoints.named(reading.endpoint()), reading, own, Runnable::run);
    } catch (RuntimeException | Error trouble) {
      wanted = CompletableFuture.failedFuture(trouble);
    }
    return wanted.handle(
        (known, trouble) ->
            orByDefault(
                reading, own, noted(reading, trouble == null ? known : undecided(trouble, own))));
  }

  /** Notes the first reading that any policy limits, to be reported to the policy source. */
  private List<PermitRequest> noted(RequestInfo reading, List<PermitRequest> wanted) {
    if (limited == null && !wanted.isEmpty()) {
      limited = reading;
    }
    return wanted;
  }

  /**
   * Gives a reading that no other policy limits the policy of {@code weir.default.*}, as an
   * endpoint here would have. Each reading by itself: otherwise a spelling that a wide policy also
   * matches would escape the default.
   */
  private List<PermitRequest> orByDefault(
      RequestInfo reading, DecisionHistory own, List<PermitRequest> wanted) {
    return wanted.isEmpty() && !own.access().overrides()
        ? PhaseRequestBuilder.ofEndpoint(endpoints.byDefault(), reading, own)
        : wanted;
  }

  /** The limiter's failure must not become the request's. */
  private List<PermitRequest> undecided(Throwable trouble, DecisionHistory own) {
    Throwable cause = GuardedRequest.cause(trouble);
    if (cause instanceof InvalidRequestException invalid) {
      throw invalid;
    }
    calls.failed(cause);
    own.markIncomplete();
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

  /** Reports the completed request to the policy source, and returns the result. */
  CheckResult completed(Optional<Decision> decision) {
    SeenRoutes seen = services.seenRoutes();
    if (seen != null) {
      seen.addChecked(request.endpoint());
    }
    if (decision.isPresent()) {
      RequestInfo told = limited == null ? request : limited;
      BanGate.decided(services, told, history, decision.get());
      SafePolicySource source = services.policySource();
      if (source != null) {
        source.completed(told, decision.get());
      }
    }
    return history.result(decision);
  }
}
