package io.weir.internal.server.metrics;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micrometer.core.instrument.Timer;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Measures how long gRPC calls that ask for a decision take. Safe for concurrent use. */
public final class CallTimer implements ServerInterceptor {
  private static final Set<String> DECISIONS = Set.of("Check", "CheckMany", "ShouldRateLimit");

  private final Timer time;

  /**
   * Measures calls.
   *
   * @param time where
   */
  public CallTimer(Timer time) {
    this.time = time;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!DECISIONS.contains(String.valueOf(call.getMethodDescriptor().getBareMethodName()))) {
      return next.startCall(call, headers);
    }
    long before = System.nanoTime();
    return next.startCall(
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void close(Status status, Metadata trailers) {
            super.close(status, trailers);
            time.record(System.nanoTime() - before, TimeUnit.NANOSECONDS);
          }
        },
        headers);
  }
}
