package io.weir.internal.server.grpc.call;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.weir.InvalidRequestException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Sends the only response of a call when it is known. Stateless. */
public final class ResponseSender {
  private static final System.Logger LOG = System.getLogger("io.weir");

  private ResponseSender() {}

  /**
   * Makes a response and sends it, or the status of the failure: a {@link StatusRuntimeException}
   * is sent as it is, an {@link InvalidRequestException} as INVALID_ARGUMENT, and anything else as
   * INTERNAL without a description.
   *
   * @param work starts to make the response, without waiting
   * @param responses sends it; nothing is sent after the client has cancelled
   */
  public static <T> void send(Supplier<CompletionStage<T>> work, StreamObserver<T> responses) {
    try {
      var unused =
          work.get()
              .whenComplete(
                  (response, failure) -> {
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
    LOG.log(System.Logger.Level.ERROR, "a gRPC call failed", cause);
    return Status.INTERNAL.asRuntimeException();
  }
}
