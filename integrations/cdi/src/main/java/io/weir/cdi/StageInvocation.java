package io.weir.cdi;

import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.weir.adapter.LimitedCall;
import jakarta.interceptor.InvocationContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Limits a method that returns a stage. In a thread that must not block, such as an event loop, a
 * refusal completes the stage; elsewhere it is thrown, as by any other method.
 *
 * @param plain waits for the decision
 */
record StageInvocation(LimitedCall call, LimitedInvocation plain) implements LimitedInvocation {
  @Override
  public @Nullable Object run(InvocationContext invocation) throws Throwable {
    return Infrastructure.canCallerThreadBeBlocked() ? plain.run(invocation) : later(invocation);
  }

  private CompletableFuture<Object> later(InvocationContext invocation) {
    CompletableFuture<Object> result = new CompletableFuture<>();
    CompletableFuture<CompletionStage<?>> started = new CompletableFuture<>();
    call.runAsync(
            invocation.getParameters(),
            () -> {
              CompletionStage<?> stage = start(invocation);
              started.complete(stage);
              return stage;
            },
            MutinyInvocations::goOn)
        .whenComplete((value, failure) -> complete(result, value, failure));
    var unused =
        result.whenComplete(
            (value, failure) -> {
              if (result.isCancelled()) {
                var ignored = started.thenAccept(stage -> stage.toCompletableFuture().cancel(true));
              }
            });
    return result;
  }

  private static CompletionStage<?> start(InvocationContext invocation) {
    try {
      CompletionStage<?> stage = (CompletionStage<?>) invocation.proceed();
      return stage == null ? CompletableFuture.completedFuture(null) : stage;
    } catch (Throwable failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  private static void complete(
      CompletableFuture<Object> result, @Nullable Object value, @Nullable Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(cause(failure));
    }
  }

  /** Returns what was thrown, without the wrapping of dependent stages. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
