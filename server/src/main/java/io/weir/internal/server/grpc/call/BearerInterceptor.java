package io.weir.internal.server.grpc.call;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.weir.internal.server.access.Access;
import io.weir.internal.server.access.Authenticator;
import io.weir.internal.server.access.Role;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls in that bear a token of the role {@link Role#CHECK}. The authenticator is asked for
 * each call, so that a revoked token ends at once, also on connections that are open.
 *
 * <p>Safe for concurrent use.
 */
public final class BearerInterceptor implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String SCHEME = "bearer ";

  private final Authenticator authenticator;
  private final Consumer<SocketAddress> signedIn;

  /**
   * Asks for tokens from now on.
   *
   * @param authenticator knows the tokens
   * @param signedIn is given where each call comes from that may check; returns at once
   */
  public BearerInterceptor(Authenticator authenticator, Consumer<SocketAddress> signedIn) {
    this.authenticator = authenticator;
    this.signedIn = signedIn;
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    Status refusal = refusal(headers);
    if (refusal == null) {
      SocketAddress peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
      if (peer != null) {
        signedIn.accept(peer);
      }
      return next.startCall(call, headers);
    }
    call.close(refusal, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  private @Nullable Status refusal(Metadata headers) {
    String value = headers.get(AUTHORIZATION);
    if (value == null) {
      return Status.UNAUTHENTICATED.withDescription(
          "the metadata authorization: Bearer TOKEN is missing");
    }
    Optional<Access> access =
        value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
            ? authenticator.authenticate(value.substring(SCHEME.length()).strip())
            : Optional.empty();
    if (access.isEmpty()) {
      return Status.UNAUTHENTICATED.withDescription("the token is unknown, revoked or expired");
    }
    return access.get().may(Role.CHECK)
        ? null
        : Status.PERMISSION_DENIED.withDescription("the token needs the role weir-check");
  }
}
