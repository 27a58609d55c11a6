package io.weir.grpc;

import io.grpc.ServerCall;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes the events of a call through a queue, to a handler that is perhaps not started yet.
 *
 * <p>Safe for concurrent use.
 */
final class QueuedListener<Q> extends ServerCall.Listener<Q> {
  private final GuardedCall<?, ?> guarded;
  private final EventQueue events = new EventQueue();
  private volatile ServerCall.@Nullable Listener<Q> target;
  private volatile boolean waking;

  QueuedListener(GuardedCall<?, ?> guarded) {
    this.guarded = guarded;
  }

  EventQueue events() {
    return events;
  }

  /** Starts the handler, unless the client has given up meanwhile. */
  void start(Supplier<ServerCall.Listener<Q>> handler) {
    if (!guarded.isCancelled()) {
      target = handler.get();
    }
  }

  /**
   * Goes on with what was decided and with the events that have waited, within a listener around
   * this one: an interceptor of the application may translate what the handler throws, or leave the
   * user in the thread.
   *
   * @param outer gets an event that says nothing new
   */
  void goOn(Runnable decided, QueuedListener<?> outer) {
    events.prepare(decided);
    waking = true;
    try {
      outer.wake();
    } finally {
      waking = false;
    }
    events.run(); // if an interceptor has kept the event
  }

  private void wake() {
    ServerCall.@Nullable Listener<Q> started = target;
    if (started != null && !guarded.isCancelled()) {
      started.onReady();
    }
  }

  private void pass(Consumer<ServerCall.Listener<Q>> event) {
    events.add(
        () -> {
          ServerCall.@Nullable Listener<Q> started = target;
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

  /** Ends the request at once, even while a decision is pending. */
  @Override
  public void onCancel() {
    guarded.cancel();
    pass(ServerCall.Listener::onCancel);
  }

  @Override
  public void onComplete() {
    pass(ServerCall.Listener::onComplete);
  }

  @Override
  public void onReady() {
    if (waking) {
      events.run();
    } else {
      pass(ServerCall.Listener::onReady);
    }
  }

  @Override
  public void onEvent(Object event) {
    pass(each -> each.onEvent(event));
  }
}
