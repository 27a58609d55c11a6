package io.weir.adapter;

import io.weir.internal.application.CallLimiter;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method whose calls are limited, wherever they come from. A call within a request is decided by
 * the Weir of that request, for its caller; any other by that of the application, and policies have
 * only the method's parameters.
 *
 * <p>Each execution counts once, however many layers see it: a filter that has decided the handler,
 * an advice, woven code.
 *
 * <p>Safe for concurrent use; to be made once for each method of each class. Not for implementation
 * by others.
 */
public interface LimitedCall {
  /** Runs the method itself. */
  @FunctionalInterface
  interface Body {
    /**
     * Runs the method.
     *
     * @return its result
     * @throws Throwable what it throws
     */
    @Nullable Object run() throws Throwable;
  }

  /**
   * Finds the calls of a method for code that runs in threads of any application or of none, such
   * as woven code. Without a request the Weir is found by the context class loader, else by that of
   * the class; once the application has ended, there is none, and the calls aren't limited.
   *
   * @param type the class that runs: that of the object, or that which declares a static method
   * @param method the method
   * @param parameterNames the names of its parameters in the source, in their order
   * @return the same limits as for all other calls of the method
   */
  static LimitedCall of(Class<?> type, Method method, List<String> parameterNames) {
    return CallLimiter.ofApplication(type, method, parameterNames);
  }

  /**
   * Returns the request within which calls in this thread are limited, for code that carries it to
   * another thread.
   *
   * @return empty if none is bound to the thread, or it is hidden
   */
  static Optional<LimitedRequest> currentRequest() {
    return CallLimiter.currentRequest();
  }

  /**
   * Runs the method if its policies admit the call, all at once, whether they need a user or not.
   * Waits for the policy source and for the store, if they have to be asked, at most for the store
   * time-out together. The result decides the outcome: an exception is a failure, a {@link
   * CompletionStage} counts as it completes, any other result is a success. Results of other kinds
   * that end later, such as a publisher, are for {@link #runAsync}.
   *
   * @param arguments the values of the parameters, not copied
   * @param body runs the method in this thread, unless it is refused
   * @return the result of the method
   * @throws io.weir.RateLimitExceededException if a policy refuses
   * @throws io.weir.InvalidRequestException if a policy can't count the call
   * @throws io.weir.InvalidPolicyException if there are mistakes in annotations
   * @throws Throwable what the method throws
   */
  @Nullable Object run(@Nullable Object[] arguments, Body body) throws Throwable;

  /**
   * Does the same without waiting. What is known at once is decided in this thread, with the parts
   * that the application plugs in.
   *
   * @param arguments the values of the parameters, not copied
   * @param body starts the method, in this thread or by the executor; its stage ends the call,
   *     once, also by cancellation
   * @param executor goes on after the policy source or the store has answered
   * @return completed as the stage of the body is, or exceptionally with what {@link #run} throws,
   *     which may be wrapped in a {@link java.util.concurrent.CompletionException}
   */
  CompletionStage<@Nullable Object> runAsync(
      @Nullable Object[] arguments, Supplier<? extends CompletionStage<?>> body, Executor executor);

  /**
   * Runs the method as {@link #runAsync} does, as a future that fails with what was thrown and
   * passes on its cancellation.
   *
   * @param arguments the values of the parameters, not copied
   * @param body starts the method, in this thread or by the executor; it returns a stage, which
   *     ends the call, or null, which ends it at once
   * @param executor goes on after the policy source or the store has answered
   * @return completed as the stage of the body is, or exceptionally with what {@link #run} throws;
   *     its cancellation reaches the stage of the body, also if that is started later
   */
  default CompletableFuture<@Nullable Object> start(
      @Nullable Object[] arguments, Body body, Executor executor) {
    return start(body, method -> runAsync(arguments, method, executor));
  }

  /**
   * Runs the method as {@link #start} does, but lets the executor decide as well: for a thread that
   * must not block, such as an event loop, as the parts that the application plugs in may. What
   * another layer has charged is started in this thread.
   *
   * @param arguments the values of the parameters, not copied
   * @param body as for {@link #start}
   * @param executor decides for the caller of this thread, and starts the method
   * @return as {@link #start} returns it; failed as well if the executor rejects the task
   */
  default CompletableFuture<@Nullable Object> startElsewhere(
      @Nullable Object[] arguments, Body body, Executor executor) {
    if (takeCharge()) {
      return start(body, method -> method.get().thenApply(value -> value));
    }
    Optional<LimitedRequest> caller = currentRequest();
    return start(
        body,
        method ->
            CompletableFuture.completedFuture(caller)
                .thenComposeAsync(
                    request -> runAsync(request, arguments, method, executor), executor));
  }

  @SuppressWarnings("try") // the binding is closed, not used
  private CompletionStage<@Nullable Object> runAsync(
      Optional<LimitedRequest> caller,
      @Nullable Object[] arguments,
      Supplier<? extends CompletionStage<?>> method,
      Executor executor) {
    LimitedRequest.@Nullable Binding bound = caller.map(each -> each.bind(null)).orElse(null);
    try (LimitedRequest.Binding unused = bound) {
      return runAsync(arguments, method, executor);
    }
  }

  private static CompletableFuture<@Nullable Object> start(
      Body body,
      Function<Supplier<CompletionStage<?>>, CompletionStage<@Nullable Object>> starter) {
    CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
    CompletableFuture<CompletionStage<?>> started = new CompletableFuture<>();
    starter
        .apply(
            () -> {
              CompletionStage<?> stage = stage(body);
              started.complete(stage);
              return stage;
            })
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

  private static CompletionStage<?> stage(Body body) {
    try {
      CompletionStage<?> stage = (CompletionStage<?>) body.run();
      return stage == null ? CompletableFuture.completedFuture(null) : stage;
    } catch (Throwable failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  /** Completes without the wrapping of dependent stages. */
  private static void complete(
      CompletableFuture<@Nullable Object> result,
      @Nullable Object value,
      @Nullable Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      Throwable cause = failure.getCause();
      result.completeExceptionally(
          failure instanceof CompletionException && cause != null ? cause : failure);
    }
  }

  /**
   * Takes the charge that another layer has made for the execution which this thread is about to
   * start, as {@link #run} does. It is for a method whose result starts its work later and perhaps
   * in another thread, such as a publisher: if it is charged, start the method now, without this
   * call; if not, use {@link #runAsync} when the work is to start.
   *
   * @return true if this execution is charged already; at most once for each execution
   */
  boolean takeCharge();
}
