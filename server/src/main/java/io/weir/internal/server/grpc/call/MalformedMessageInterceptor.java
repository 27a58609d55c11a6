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
 * Refuses messages that can't be read: text that isn't UTF-8, say, which gateways pass on as their
 * clients sent it. By itself gRPC answers UNKNOWN, as for a mistake of the server, and logs each
 * one with a stack trace.
 *
 * <p>Safe for concurrent use.
 */
public final class MalformedMessageInterceptor implements ServerInterceptor {
  private static final Status MALFORMED =
      Status.INVALID_ARGUMENT.withDescription("the message is malformed");

  private MalformedMessageInterceptor() {}

  /**
   * Has a service's messages read where it can be answered that they can't be.
   *
   * @param service any
   * @return the same, for calls with messages of bytes
   */
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
