package io.weir.internal.server.grpc.call;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.weir.InvalidRequestException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Sends the only response of a call when it is known, and tells how long that took. Safe for
 * concurrent use.
 */
public final class ResponseSender {
  private static final System.Logger LOG = System.getLogger("io.weir");

  private final LongConsumer time;

  /**
   * Sends from now on.
   *
   * @param time is told of each call how many nanoseconds it took, also if it failed
   */
  public ResponseSender(LongConsumer time) {
    this.time = time;
  }

  /**
   * Makes a response and sends it, or the status that stands for what went wrong: a {@link
   * StatusRuntimeException} is sent as it is, an {@link InvalidRequestException} as
   * INVALID_ARGUMENT, and anything else as INTERNAL, without a word of what it was.
   *
   * @param <T> the response's type
   * @param work begins to make the response; mustn't wait
   * @param responses where it goes; nothing is sent if the client has gone
   */
  public <T> void send(Supplier<CompletionStage<T>> work, StreamObserver<T> responses) {
    long began = System.nanoTime();
    try {
      var unused =
          work.get()
              .whenComplete(
                  (response, failure) -> {
                    time.accept(System.nanoTime() - began);
                    if (failure == null) {
                      send(response, responses);
                    } else {
                      fail(failure, responses);
                    }
                  });
    } catch (RuntimeException failure) {
      fail(failure, responses);
    }
  }

  private static <T> void send(T response, StreamObserver<T> responses) {
    if (!isGone(responses)) {
      responses.onNext(response);
      responses.onCompleted();
    }
  }

  private static void fail(Throwable failure, StreamObserver<?> responses) {
    if (!isGone(responses)) {
      responses.onError(status(failure));
    }
  }

  private static boolean isGone(StreamObserver<?> responses) {
    return responses instanceof ServerCallStreamObserver<?> call && call.isCancelled();
  }

  private static Throwable status(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof StatusRuntimeException || cause instanceof StatusException) {
      return cause;
    }
    if (cause instanceof InvalidRequestException) {
      return Status.INVALID_ARGUMENT.withDescription(cause.getMessage()).asRuntimeException();
    }
    LOG.log(System.Logger.Level.ERROR, "a call over gRPC couldn't be answered", cause);
    return Status.INTERNAL.asRuntimeException();
  }
}
