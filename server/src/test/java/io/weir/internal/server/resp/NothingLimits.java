package io.weir.internal.server.resp;

import io.weir.CheckResult;
import io.weir.RequestChecker;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A checker without limits. */
final class NothingLimits implements RequestChecker {
  @Override
  public CompletionStage<CheckResult> check(RequestInfo request) {
    return CompletableFuture.completedFuture(peek(request));
  }

  @Override
  public CompletionStage<List<CheckResult>> checkTogether(List<? extends RequestInfo> requests) {
    return CompletableFuture.completedFuture(List.of());
  }

  @Override
  public CheckResult peek(RequestInfo request) {
    return new CheckResult(Optional.empty(), false);
  }

  @Override
  public Optional<String> address(RequestInfo request) {
    return request.peer();
  }
}
