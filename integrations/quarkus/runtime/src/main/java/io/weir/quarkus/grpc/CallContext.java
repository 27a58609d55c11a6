package io.weir.quarkus.grpc;

import io.smallrye.common.vertx.VertxContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the request of a call in the context of Vert.x that Quarkus gives each call. */
final class CallContext {
  private CallContext() {}

  /** Leaves the request that is bound to this thread to what goes on with the call. */
  static void leave() {
    Context context = current();
    if (context != null) {
      LimitedCall.currentRequest()
          .ifPresent(request -> context.putLocal(LimitedRequest.ATTRIBUTE, request));
    }
  }

  /** Returns the request that was left; empty outside of calls of gRPC. */
  static Optional<LimitedRequest> request() {
    Context context = current();
    return context == null
        ? Optional.empty()
        : Optional.ofNullable(context.getLocal(LimitedRequest.ATTRIBUTE));
  }

  /** Returns the context of this thread; null if it belongs to no call. */
  private static @Nullable Context current() {
    Context context = Vertx.currentContext();
    return context != null && VertxContext.isDuplicatedContext(context) ? context : null;
  }
}
