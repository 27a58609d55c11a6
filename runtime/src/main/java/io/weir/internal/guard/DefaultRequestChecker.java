package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.PermitRequest;
import io.weir.RequestChecker;
import io.weir.internal.extension.SafeCalls;
import io.weir.internal.permits.CombinedDecision;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Decides requests that are asked about, as {@link GuardedRequest} decides those that are served.
 * Safe for concurrent use.
 */
final class DefaultRequestChecker implements RequestChecker {
  private final WeirRuntime weir;
  private final SafeCalls calls =
      new SafeCalls(
          System.getLogger(RequestChecker.class.getName()),
          "a request that was asked about is admitted without a decision");

  DefaultRequestChecker(WeirRuntime weir) {
    this.weir = weir;
  }

  @Override
  public CompletionStage<Optional<Decision>> check(RequestInfo request) {
    CheckedRequest checked = new CheckedRequest(weir, request, calls);
    return checked.requests().thenCompose(wanted -> decide(checked, wanted));
  }

  private CompletionStage<Optional<Decision>> decide(
      CheckedRequest checked, List<PermitRequest> wanted) {
    return SourceRefusals.decideAsync(
            weir, checked.history(), wanted, decision -> Optional.of(checked.decided(decision)))
        .thenApply(decision -> checked.completed(decision));
  }

  @Override
  public CompletionStage<List<Optional<Decision>>> checkTogether(
      List<? extends RequestInfo> requests) {
    if (requests.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one request");
    }
    CompletionStage<CheckedRequests> together =
        CompletableFuture.completedFuture(new CheckedRequests(weir));
    for (RequestInfo each : requests) {
      CheckedRequest checked = new CheckedRequest(weir, each, calls);
      together =
          together.thenCombine(checked.requests(), (before, wanted) -> before.and(checked, wanted));
    }
    return together.thenCompose(CheckedRequests::decide);
  }

  @Override
  public Optional<Decision> peek(RequestInfo request) {
    CheckedRequest checked = new CheckedRequest(weir, request, calls);
    List<PermitRequest> wanted = await(checked.requests());
    List<Decision> parts = new ArrayList<>(checked.history().takeRefusals());
    for (PermitRequest each : wanted) {
      parts.add(weir.recorder().peek(each));
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(checked.decided(CombinedDecision.of(parts)));
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
