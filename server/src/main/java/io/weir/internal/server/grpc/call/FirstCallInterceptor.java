package io.weir.internal.server.grpc.call;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.SocketAddress;
import java.util.function.Consumer;

/**
 * Takes any call for a sign-in, where no token is needed. Safe for concurrent use.
 *
 * @param signedIn is given where each call comes from; returns at once
 */
public record FirstCallInterceptor(Consumer<SocketAddress> signedIn) implements ServerInterceptor {
  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    SocketAddress peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    if (peer != null) {
      signedIn.accept(peer);
    }
    return next.startCall(call, headers);
  }
}
