package io.weir.quarkus.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.quarkus.grpc.GlobalInterceptor;
import jakarta.enterprise.inject.spi.Prioritized;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/**
 * Decides policies by user after all other interceptors, those of one service too. Quarkus has
 * moved calls of blocking methods to worker threads before, which wait for the decision.
 *
 * <p>Safe for concurrent use.
 */
@GlobalInterceptor
@Singleton
public class InnermostInterceptor implements ServerInterceptor, Prioritized {
  private final ServerInterceptor limits;

  /**
   * Called by Quarkus.
   *
   * @param limits the application's
   */
  @Inject
  public InnermostInterceptor(GrpcLimits limits) {
    this.limits = limits.innermost();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return limits.interceptCall(call, headers, next);
  }

  @Override
  public int getPriority() {
    return Integer.MIN_VALUE;
  }
}
