package io.weir.internal.server.grpc.call;

import io.grpc.ServerCall;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what happens to a call until it is known who makes it, and then passes all on, in order. No
 * message comes before that, since nobody has asked for one.
 *
 * <p>Safe for concurrent use.
 *
 * @param <ReqT> the messages of the call
 */
final class PendingListener<ReqT> extends ServerCall.Listener<ReqT> {
  /** Guarded by this. */
  private final Queue<Consumer<ServerCall.Listener<ReqT>>> kept = new ArrayDeque<>();

  /** Guarded by this; null: the call hasn't begun. */
  private ServerCall.@Nullable Listener<ReqT> listener;

  /** Begins the call: what follows comes to that listener, after all that was kept. */
  synchronized void begin(Supplier<ServerCall.Listener<ReqT>> call) {
    ServerCall.Listener<ReqT> begun = call.get();
    kept.forEach(each -> each.accept(begun));
    kept.clear();
    listener = begun;
  }

  private synchronized void pass(Consumer<ServerCall.Listener<ReqT>> event) {
    if (listener == null) {
      kept.add(event);
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
