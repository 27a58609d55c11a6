package io.weir.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import org.jspecify.annotations.Nullable;

/**
 * Decides the policies of a method that no interceptor has decided, usually those by user.
 *
 * <p>Safe for concurrent use.
 */
final class GuardedHandler<Q, R> implements ServerCallHandler<Q, R> {
  private final RateLimitInterceptor owner;
  private final LimitedMethod method;
  private final ServerCallHandler<Q, R> handler;

  GuardedHandler(
      RateLimitInterceptor owner, LimitedMethod method, ServerCallHandler<Q, R> handler) {
    this.owner = owner;
    this.method = method;
    this.handler = handler;
  }

  @Override
  public ServerCall.Listener<Q> startCall(ServerCall<Q, R> call, Metadata headers) {
    @Nullable GuardedCall<?, ?> begun = GuardedCall.in(call);
    if (begun != null && begun.isOf(owner)) {
      begun.keep();
      return begun.decideAfter(
          call, headers, method.perMessage(), () -> start(begun, call, headers));
    }
    GuardedCall<Q, R> made = owner.begin(call, headers, method);
    return made.start(
        () ->
            made.decideAfter(made, headers, method.perMessage(), () -> start(made, made, headers)));
  }

  private ServerCall.Listener<Q> start(
      GuardedCall<?, ?> guarded, ServerCall<Q, R> call, Metadata headers) {
    if (!method.perMessage() || !guarded.claimMessages()) {
      return bound(guarded, call, headers);
    }
    MessageCall<Q, R> seen = new MessageCall<>(guarded, call);
    return guarded.byMessage(seen, bound(guarded, seen, headers));
  }

  private ServerCall.Listener<Q> bound(
      GuardedCall<?, ?> guarded, ServerCall<Q, R> call, Metadata headers) {
    return BoundListener.start(
        guarded, call, method.method(), false, () -> handler.startCall(call, headers));
  }
}
