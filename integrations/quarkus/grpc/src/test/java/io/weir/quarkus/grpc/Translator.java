package io.weir.quarkus.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;
import io.quarkus.grpc.ExceptionHandler;
import io.quarkus.grpc.ExceptionHandlerProvider;
import io.weir.grpc.NotThere;
import jakarta.enterprise.context.ApplicationScoped;

/** Translates an exception of the application, as Quarkus lets it. */
@ApplicationScoped
public class Translator implements ExceptionHandlerProvider {
  @Override
  public <Q, R> ExceptionHandler<Q, R> createHandler(
      ServerCall.Listener<Q> listener, ServerCall<Q, R> call, Metadata metadata) {
    return new ExceptionHandler<>(listener, call, metadata) {
      @Override
      protected void handleException(
          Throwable failure, ServerCall<Q, R> closing, Metadata headers) {
        StatusException end = (StatusException) transform(failure);
        closing.close(
            end.getStatus(), end.getTrailers() == null ? new Metadata() : end.getTrailers());
      }
    };
  }

  @Override
  public Throwable transform(Throwable failure) {
    return failure instanceof NotThere
        ? Status.NOT_FOUND.asException()
        : ExceptionHandlerProvider.toStatusException(failure, false);
  }
}
