package io.weir.internal.server.grpc.call;

import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.weir.internal.server.access.Authenticator;
import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Role;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Accepts calls with a token of the role {@link Role#CHECK}. Authenticates each call, so that a
 * revoked token fails at once, also on open connections. A call whose token may be new begins when
 * that is known; no thread waits.
 *
 * <p>Safe for concurrent use.
 */
public final class BearerInterceptor implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String SCHEME = "bearer ";
  private static final Status MISSING =
      Status.UNAUTHENTICATED.withDescription("the metadata authorization: Bearer TOKEN is missing");
  private static final Status UNKNOWN =
      Status.UNAUTHENTICATED.withDescription("the token is unknown, revoked or expired");
  private static final Status UNREAD =
      Status.UNAVAILABLE.withDescription(
          "the server hasn't been able to read the tokens since its start; retry later");
  private static final Status NOT_ALLOWED =
      Status.PERMISSION_DENIED.withDescription("the token needs the role weir-check");

  private final Authenticator authenticator;
  private final Consumer<SocketAddress> signedIn;

  /**
   * Creates an interceptor.
   *
   * @param signedIn is given the client's address of each accepted call; never blocks
   */
  public BearerInterceptor(Authenticator authenticator, Consumer<SocketAddress> signedIn) {
    this.authenticator = authenticator;
    this.signedIn = signedIn;
  }

  /** The outcome of a sign-in: a refusal, or what all calls of the caller have in common. */
  private record SignIn(Optional<Status> refusal, String caller) {
    static SignIn refused(Status status) {
      return new SignIn(Optional.of(status), "");
    }
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    CompletableFuture<SignIn> signIn = signIn(headers).toCompletableFuture();
    if (signIn.isDone()) {
      return begin(signIn.join(), call, headers, next);
    }
    BufferingCallListener<ReqT> pending = new BufferingCallListener<>();
    Context context = Context.current();
    var unused =
        signIn.thenAccept(
            known -> context.run(() -> pending.begin(() -> begin(known, call, headers, next))));
    return pending;
  }

  private <ReqT, RespT> ServerCall.Listener<ReqT> begin(
      SignIn signIn,
      ServerCall<ReqT, RespT> call,
      Metadata headers,
      ServerCallHandler<ReqT, RespT> next) {
    if (signIn.refusal().isPresent()) {
      return refuse(signIn.refusal().get(), call);
    }
    SocketAddress peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    if (peer != null) {
      signedIn.accept(peer);
    }
    Optional<Status> exhausted = MessageLimit.begin(signIn.caller());
    return exhausted.isPresent() ? refuse(exhausted.get(), call) : next.startCall(call, headers);
  }

  static <ReqT, RespT> ServerCall.Listener<ReqT> refuse(
      Status status, ServerCall<ReqT, RespT> call) {
    call.close(status, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  private CompletionStage<SignIn> signIn(Metadata headers) {
    String value = headers.get(AUTHORIZATION);
    if (value == null) {
      return CompletableFuture.completedFuture(SignIn.refused(MISSING));
    }
    if (!value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return CompletableFuture.completedFuture(SignIn.refused(UNKNOWN));
    }
    String token = value.substring(SCHEME.length()).strip();
    boolean mayBeUnread = authenticator.mayBeUnread(token);
    return authenticator
        .authenticateSoon(token)
        .thenApply(access -> signIn(access, token, mayBeUnread ? UNREAD : UNKNOWN));
  }

  private static SignIn signIn(Optional<Identity> access, String token, Status notFound) {
    if (access.isEmpty()) {
      return SignIn.refused(notFound);
    }
    return access.get().may(Role.CHECK)
        ? new SignIn(
            Optional.empty(), access.get().userId().map(user -> "user " + user).orElse(token))
        : SignIn.refused(NOT_ALLOWED);
  }
}
