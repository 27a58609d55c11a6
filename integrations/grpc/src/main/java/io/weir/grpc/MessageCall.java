package io.weir.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.weir.adapter.Refusal;

/**
 * A call as a handler sees it whose messages are decided one by one. A refusal may end it while a
 * thread of the handler answers: what that sends later is dropped, as after a cancellation.
 *
 * <p>Safe for concurrent use, which other calls aren't.
 */
final class MessageCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
  private final GuardedCall<?, ?> guarded;
  private boolean ended;
  private volatile boolean refused;

  MessageCall(GuardedCall<?, ?> guarded, ServerCall<Q, R> call) {
    super(call);
    this.guarded = guarded;
  }

  /** Ends the call by a refusal, unless the handler has ended it. */
  synchronized void refuse(Refusal refusal) {
    if (!ended) {
      ended = true;
      refused = true;
      guarded.refuse(refusal, delegate());
    }
  }

  /** Returns whether a refusal has ended it, which gRPC reports to the handler as its own end. */
  boolean isRefused() {
    return refused;
  }

  @Override
  public synchronized void sendHeaders(Metadata headers) {
    if (!refused) {
      super.sendHeaders(headers);
    }
  }

  @Override
  public synchronized void sendMessage(R message) {
    if (!refused) {
      super.sendMessage(message);
    }
  }

  @Override
  public synchronized void close(Status status, Metadata trailers) {
    if (!refused) {
      ended = true;
      super.close(status, trailers);
    }
  }

  @Override
  public boolean isCancelled() {
    return refused || super.isCancelled();
  }
}
