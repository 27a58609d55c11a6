package io.weir.internal.guard;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.PermitRequest;
import io.weir.RequestChecker;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.DecisionSpan;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks requests that are served elsewhere, as {@link GuardedRequest} decides those that are
 * served here. Safe for concurrent use.
 */
public final class DefaultRequestChecker implements RequestChecker {
  private final RequestServices services;
  private final NamedEndpointLookup endpoints;
  private final SafeCalls calls =
      new SafeCalls(
          System.getLogger(RequestChecker.class.getName()),
          "a checked request was admitted without a decision");

  public DefaultRequestChecker(RequestServices services, NamedEndpointLookup endpoints) {
    this.services = services;
    this.endpoints = endpoints;
  }

  @Override
  public Optional<String> address(RequestInfo request) {
    return services.address(request);
  }

  @Override
  public CompletionStage<CheckResult> check(RequestInfo request) {
    DecisionSpan span = services.limiter().currentSpan();
    CheckedRequest checked = checked(request, DecisionHistory::new);
    return checked.requests().thenCompose(wanted -> decide(checked, wanted, span));
  }

  private CheckedRequest checked(
      RequestInfo request, Function<Refunds, DecisionHistory> histories) {
    return new CheckedRequest(services, endpoints, request, histories, calls);
  }

  private CompletionStage<CheckResult> decide(
      CheckedRequest checked, List<PermitRequest> wanted, @Nullable DecisionSpan span) {
    return PhaseDecision.decideAsync(
            services,
            checked.history(),
            wanted,
            span,
            decision -> checked.history().decided(List.of(decision)))
        .thenApply(checked::completed);
  }

  @Override
  public CompletionStage<List<CheckResult>> checkTogether(List<? extends RequestInfo> requests) {
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one request");
    }
    CompletionStage<CheckedRequestGroup> together =
        CompletableFuture.completedFuture(new CheckedRequestGroup(services));
    for (RequestInfo each : requests) {
      CheckedRequest checked = checked(each, DecisionHistory::new);
      together =
          together.thenCombine(checked.requests(), (before, wanted) -> before.and(checked, wanted));
    }
    return together.thenCompose(CheckedRequestGroup::decide);
  }

  @Override
  public CheckResult peek(RequestInfo request) {
    CheckedRequest checked = checked(request, PeekedHistory::new);
    List<PermitRequest> wanted = await(checked.requests());
    List<Decision> parts = new ArrayList<>(checked.history().takeRefusals());
    for (PermitRequest each : wanted) {
      parts.add(services.limiter().peek(each));
    }
    return checked.history().result(checked.history().decided(parts));
  }

  private static List<PermitRequest> await(CompletionStage<List<PermitRequest>> requests) {
    try {
      return requests.toCompletableFuture().join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof InvalidRequestException invalid) {
        throw invalid;
      }
      throw failed;
    }
  }
}
