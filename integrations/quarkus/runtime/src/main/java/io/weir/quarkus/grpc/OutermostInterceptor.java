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
 * Decides what needs no user before Quarkus Security reads a credential, and before all
 * interceptors of the application. Only the one that gives each call a context of Vert.x stands
 * before it.
 *
 * <p>Safe for concurrent use.
 */
@GlobalInterceptor
@Singleton
public class OutermostInterceptor implements ServerInterceptor, Prioritized {
  /** Between Quarkus' interceptors for the context of Vert.x, 5 below it, and that of CDI, 50. */
  private static final int PRIORITY = Integer.MAX_VALUE - 20;

  private final ServerInterceptor limits;

  /**
   * Called by Quarkus.
   *
   * @param limits the application's
   */
  @Inject
  public OutermostInterceptor(GrpcLimits limits) {
    this.limits = limits.outermost();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return limits.interceptCall(call, headers, next);
  }

  @Override
  public int getPriority() {
    return PRIORITY;
  }
}
