package io.weir.spring.method;

import io.weir.adapter.LimitedCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.scheduler.Schedulers;

/**
 * Limits a method that returns a stage. In a thread that must not block, such as an event loop, a
 * refusal completes the stage; elsewhere it is thrown, as by any other method.
 *
 * @param plain waits for the decision
 */
record StageInvocation(LimitedCall call, LimitedInvocation plain) implements LimitedInvocation {
  @Override
  public @Nullable Object run(ProxyMethodInvocation invocation) throws Throwable {
    return Schedulers.isInNonBlockingThread() ? later(invocation) : plain.run(invocation);
  }

  private CompletableFuture<Object> later(ProxyMethodInvocation invocation) {
    CompletableFuture<Object> result = new CompletableFuture<>();
    CompletableFuture<CompletionStage<?>> started = new CompletableFuture<>();
    call.runAsync(
            invocation.getArguments(),
            () -> {
              CompletionStage<?> stage = start(invocation);
              started.complete(stage);
              return stage;
            },
            ReactiveInvocations::goOn)
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

  private static CompletionStage<?> start(ProxyMethodInvocation invocation) {
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
