package io.weir.internal.server.grpc.call;

import io.grpc.ServerCall;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Buffers the events of a call until it is authenticated, and then passes them on in order. No
 * message arrives before that, because none has been requested.
 *
 * <p>Safe for concurrent use.
 */
final class BufferingCallListener<ReqT> extends ServerCall.Listener<ReqT> {
  /** Guarded by this. */
  private final Queue<Consumer<ServerCall.Listener<ReqT>>> buffered = new ArrayDeque<>();

  /** Guarded by this; null until the call has begun. */
  private ServerCall.@Nullable Listener<ReqT> listener;

  /** Begins the call: its listener gets the buffered events, and then all that follow. */
  synchronized void begin(Supplier<ServerCall.Listener<ReqT>> call) {
    ServerCall.Listener<ReqT> begun = call.get();
    buffered.forEach(each -> each.accept(begun));
    buffered.clear();
    listener = begun;
  }

  private synchronized void pass(Consumer<ServerCall.Listener<ReqT>> event) {
    if (listener == null) {
      buffered.add(event);
    } else {
      event.accept(listener);
    }
  }

  @Override
  public void onMessage(ReqT message) {
    pass(to -> to.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    pass(ServerCall.Listener::onHalfClose);
  }

  @Override
  public void onCancel() {
    pass(ServerCall.Listener::onCancel);
  }

  @Override
  public void onComplete() {
    pass(ServerCall.Listener::onComplete);
  }

  @Override
  public void onReady() {
    pass(ServerCall.Listener::onReady);
  }
}
