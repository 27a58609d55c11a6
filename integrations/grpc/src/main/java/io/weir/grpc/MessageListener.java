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
  private final MessageCall<Q, ?> call;
  private final QueuedListener<Q> queue;
  private boolean hasFirst;

  /**
   * Takes the messages of a call.
   *
   * @param call the call as the handler sees it
   * @param queue brings the events
   */
  MessageListener(
      GuardedCall<?, ?> guarded,
      MessageCall<Q, ?> call,
      QueuedListener<Q> queue,
      ServerCall.Listener<Q> handler) {
    super(handler);
    this.guarded = guarded;
    this.call = call;
    this.queue = queue;
  }

  @Override
  public void onMessage(Q message) {
    if (call.isRefused()) {
      return;
    }
    if (!hasFirst) {
      hasFirst = true;
      super.onMessage(message);
      return;
    }
    LimitedRequest counted = guarded.beginMessage();
    CompletableFuture<Optional<Refusal>> decision = guarded.decideMessage(counted);
    if (decision.isDone() || guarded.mayWait()) {
      proceed(decision.join(), counted, message);
    } else {
      guarded.whenDecided(decision, call, queue, refusal -> proceed(refusal, counted, message));
    }
  }

  private void proceed(Optional<Refusal> refusal, LimitedRequest counted, Q message) {
    if (refusal.isPresent()) {
      counted.failed();
      call.refuse(refusal.get());
      return;
    }
    try {
      if (!call.isCancelled()) { // while it was decided
        super.onMessage(message);
        counted.completed(OK);
      }
    } finally {
      counted.failed(); // without effect if it has succeeded
    }
  }

  /** Hides the end of a stream that was refused: the handler has no message to answer. */
  @Override
  public void onHalfClose() {
    if (!call.isRefused()) {
      super.onHalfClose();
    }
  }

  /** Reports the end by a refusal as one that isn't of the handler's making. */
  @Override
  public void onComplete() {
    if (call.isRefused()) {
      super.onCancel();
    } else {
      super.onComplete();
    }
  }
}
