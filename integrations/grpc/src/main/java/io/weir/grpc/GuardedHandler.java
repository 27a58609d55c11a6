package io.weir.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import org.jspecify.annotations.Nullable;

/**
 * Decides whatever arrives at the handler of a method, as far as no interceptor has decided it
 * before: usually the policies by user alone.
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
      return begun.decideAfter(call, headers, () -> start(begun, call, headers));
    }
    GuardedCall<Q, R> made = owner.begin(call, headers, method);
    return made.start(() -> made.decideAfter(made, headers, () -> start(made, made, headers)));
  }

  private ServerCall.Listener<Q> start(
      GuardedCall<?, ?> guarded, ServerCall<Q, R> call, Metadata headers) {
    if (!method.perMessage() || !guarded.beginsMessages()) {
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
