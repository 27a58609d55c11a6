package io.weir.internal.server.resp;

import io.weir.Decision;
import io.weir.RequestChecker;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A checker without limits. */
final class NothingLimits implements RequestChecker {
  @Override
  public CompletionStage<Optional<Decision>> check(RequestInfo request) {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  @Override
  public CompletionStage<List<Optional<Decision>>> checkTogether(
      List<? extends RequestInfo> requests) {
    return CompletableFuture.completedFuture(List.of());
  }

  @Override
  public Optional<Decision> peek(RequestInfo request) {
    return Optional.empty();
  }
}
