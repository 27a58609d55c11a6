package io.weir.compat;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * Adds no policy, and records completed requests.
 *
 * <p>Safe for concurrent use.
 */
public final class CompletedRequests implements PolicySource {
  private final List<String> told = new CopyOnWriteArrayList<>();

  @Override
  public CompletionStage<AppliedPolicies> policies(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
    return CompletableFuture.completedFuture(AppliedPolicies.none());
  }

  @Override
  public void completed(RequestInfo request, Decision decision) {
    told.add(
        String.format(
            Locale.ROOT,
            "%s %s by %s: %s %s",
            request.method(),
            request.endpoint(),
            request.user().orElse("nobody"),
            decision.admitted() ? "admitted" : "refused",
            decision.parts().stream()
                .map(part -> part.policy().name())
                .collect(Collectors.joining(" "))));
  }

  /** Returns users, requests, policies and outcomes in order. */
  public List<String> told() {
    return List.copyOf(told);
  }
}
