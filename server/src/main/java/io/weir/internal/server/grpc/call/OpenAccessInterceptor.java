package io.weir.internal.server.grpc.call;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts every call and counts it as a sign-in, for servers that need no token. Safe for
 * concurrent use.
 *
 * @param signedIn is given the client's address of each call; never blocks
 */
public record OpenAccessInterceptor(Consumer<SocketAddress> signedIn) implements ServerInterceptor {
  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    SocketAddress peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    if (peer != null) {
      signedIn.accept(peer);
    }
    Optional<Status> exhausted = MessageLimit.begin(address(peer));
    return exhausted.isPresent()
        ? BearerInterceptor.refuse(exhausted.get(), call)
        : next.startCall(call, headers);
  }

  private static Object address(@Nullable SocketAddress peer) {
    return peer instanceof InetSocketAddress inet && inet.getAddress() != null
        ? inet.getAddress()
        : "local";
  }
}
