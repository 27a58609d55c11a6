package io.weir.internal.server.grpc.call;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/**
 * Rejects messages that can't be parsed: text that isn't UTF-8, say, which gateways pass on from
 * their clients. gRPC itself answers UNKNOWN, as for a server error, and logs each one with a stack
 * trace.
 *
 * <p>Safe for concurrent use.
 */
public final class MalformedMessageInterceptor implements ServerInterceptor {
  private static final Status MALFORMED =
      Status.INVALID_ARGUMENT.withDescription("the message is malformed");

  private MalformedMessageInterceptor() {}

  /** Wraps a service so that its messages are parsed where a failure can be answered. */
  public static ServerServiceDefinition refusedBy(ServerServiceDefinition service) {
    return ServerInterceptors.intercept(
        ServerInterceptors.useInputStreamMessages(service), new MalformedMessageInterceptor());
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      private boolean isRefused;

      @Override
      public void onMessage(ReqT message) {
        try {
          super.onMessage(message);
        } catch (StatusRuntimeException malformed) {
          isRefused = true;
          call.close(MALFORMED, new Metadata());
        }
      }

      @Override
      public void onHalfClose() {
        if (!isRefused) {
          super.onHalfClose();
        }
      }
    };
  }
}
