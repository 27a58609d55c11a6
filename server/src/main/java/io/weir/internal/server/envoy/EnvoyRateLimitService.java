package io.weir.internal.server.envoy;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.access.AccessFinding;
import io.weir.internal.server.envoy.config.EnvoyDomain;
import io.weir.internal.server.envoy.config.ReloadableConfig;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitServiceGrpc;
import io.weir.internal.server.grpc.call.ResponseSender;
import io.weir.internal.server.metrics.DecisionTimer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves Envoy's {@code ShouldRateLimit}, by the files of Envoy's own service. It answers as that
 * does, except that
 *
 * <ul>
 *   <li>a request that is over one of its limits takes nothing from the others;
 *   <li>a descriptor's hits of 0 peek without counting; hits of more than one that don't fit are
 *       charged as a debt, a single one isn't;
 *   <li>requests that are wrong are INVALID_ARGUMENT, {@code is_negative_hits} is UNIMPLEMENTED,
 *       and a limit that refuses without its store is UNAVAILABLE, all of which Envoy's failure
 *       mode decides.
 * </ul>
 *
 * <p>Never blocks. Safe for concurrent use.
 */
public final class EnvoyRateLimitService extends RateLimitServiceGrpc.RateLimitServiceImplBase {
  private final RateLimiter limiter;
  private final ReloadableConfig files;
  private final Optional<DescriptorAccess> access;
  private final Supplier<OnStoreFailure> byDefault;
  private final DecisionTimer timer;
  private final Ticker ticker;

  /**
   * Creates the service.
   *
   * @param byDefault returns the behaviour without the store for limits that don't set it
   */
  public EnvoyRateLimitService(
      RateLimiter limiter,
      ReloadableConfig files,
      Optional<DescriptorAccess> access,
      Supplier<OnStoreFailure> byDefault,
      DecisionTimer timer,
      Ticker ticker) {
    this.limiter = limiter;
    this.files = files;
    this.access = access;
    this.timer = timer;
    this.ticker = ticker;
    this.byDefault = byDefault;
  }

  @Override
  public void shouldRateLimit(
      RateLimitRequest request, StreamObserver<RateLimitResponse> responses) {
    Status mistake = RequestValidator.mistake(request);
    if (mistake != null) {
      responses.onError(mistake.asRuntimeException());
      return;
    }
    EnvoyDomain domain = files.current().domain(request.getDomain());
    long start = timer.start();
    ResponseSender.send(() -> timer.stop(start, decide(request, domain)), responses);
  }

  private CompletionStage<RateLimitResponse> decide(
      RateLimitRequest request, @Nullable EnvoyDomain domain) {
    AccessFinding found = access.map(list -> list.of(request)).orElse(AccessFinding.NOTHING);
    if (found.denies()) {
      return CompletableFuture.completedFuture(ResponseWriter.denied(request));
    }
    if (found.bans()) {
      Duration left =
          Duration.between(ticker.instant(), found.ban().flatMap(AccessEntry::end).orElseThrow());
      return CompletableFuture.completedFuture(ResponseWriter.banned(request, left));
    }
    RateLimitCheck check = new RateLimitCheck(limiter, request, domain, byDefault, ticker);
    if (!found.allows()) {
      return check.decide();
    }
    if (found.isMeasuredOnly()) {
      check.charge();
    }
    return CompletableFuture.completedFuture(ResponseWriter.unlimited(request));
  }
}
