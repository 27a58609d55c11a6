package io.weir.grpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ServerCall;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Decides each message of a client's stream but the first, which the decision at the beginning has
 * covered.
 *
 * <p>Called by a queue, for one event after the other.
 */
final class MessageListener<Q> extends SimpleForwardingServerCallListener<Q> {
  private static final int OK = 200;

  private final GuardedCall<?, ?> guarded;
  private final ServerCall<Q, ?> call;
  private final EventQueue events;
  private boolean isLater;
  private boolean refused;

  MessageListener(
      GuardedCall<?, ?> guarded,
      ServerCall<Q, ?> call,
      EventQueue events,
      ServerCall.Listener<Q> handler) {
    super(handler);
    this.guarded = guarded;
    this.call = call;
    this.events = events;
  }

  @Override
  public void onMessage(Q message) {
    if (refused) {
      return;
    }
    if (!isLater) {
      isLater = true;
      super.onMessage(message);
      return;
    }
    LimitedRequest counted = guarded.beginMessage();
    CompletableFuture<Optional<Refusal>> decision = guarded.decideMessage(counted);
    if (decision.isDone()) {
      proceed(decision.join(), counted, message);
    } else {
      events.hold();
      guarded.whenDecided(
          decision, call, refusal -> events.release(() -> proceed(refusal, counted, message)));
    }
  }

  private void proceed(Optional<Refusal> refusal, LimitedRequest counted, Q message) {
    if (refusal.isPresent()) {
      refused = true;
      counted.failed();
      guarded.refuse(refusal.get(), call);
      return;
    }
    try {
      super.onMessage(message);
      counted.completed(OK);
    } finally {
      counted.failed(); // without effect if it has succeeded
    }
  }

  /** Hides the end of a stream that was refused: the handler has no message to answer. */
  @Override
  public void onHalfClose() {
    if (!refused) {
      super.onHalfClose();
    }
  }
}
