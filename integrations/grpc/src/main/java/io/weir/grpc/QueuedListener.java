package io.weir.grpc;

import io.grpc.ServerCall;
import io.weir.adapter.LimitedRequest;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes the events of a call through a queue, to a handler that is perhaps not started yet.
 *
 * <p>Safe for concurrent use.
 */
final class QueuedListener<Q> extends ServerCall.Listener<Q> {
  private final EventQueue events;
  private final LimitedRequest request;
  private volatile ServerCall.@Nullable Listener<Q> target;
  private volatile boolean cancelled;

  QueuedListener(EventQueue events, LimitedRequest request) {
    this.events = events;
    this.request = request;
  }

  /** Starts the handler, unless the client has given up meanwhile. */
  void start(Supplier<ServerCall.Listener<Q>> handler) {
    if (!cancelled) {
      target = handler.get();
    }
  }

  private void pass(Consumer<ServerCall.Listener<Q>> event) {
    events.add(
        () -> {
          ServerCall.Listener<Q> started = target;
          if (started != null) {
            event.accept(started);
          }
        });
  }

  @Override
  public void onMessage(Q message) {
    pass(each -> each.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    pass(ServerCall.Listener::onHalfClose);
  }

  /** Ends the request at once, whatever is waited for. */
  @Override
  public void onCancel() {
    cancelled = true;
    request.failed();
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

  @Override
  public void onEvent(Object event) {
    pass(each -> each.onEvent(event));
  }
}
