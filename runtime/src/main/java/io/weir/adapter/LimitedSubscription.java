package io.weir.adapter;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits one subscription to the result of a method, such as a publisher: the call is decided, and
 * the method runs, when the result is subscribed to. It ends once: with the result, or by
 * cancellation. A subscriber that cancels after a value has got what it wanted, so this is a
 * success; before any value it is a failure.
 *
 * <p>Safe for concurrent use: a cancellation comes at any time.
 *
 * @param <T> what the method returns
 */
public final class LimitedSubscription<T> {
  /**
   * Runs the method of one subscription.
   *
   * @param <T> what it returns
   */
  @FunctionalInterface
  public interface Start<T> {
    /**
     * Runs the method.
     *
     * @return its result, whose end is to be reported
     * @throws Throwable what it throws
     */
    T run() throws Throwable;
  }

  private final LimitedCall call;
  private final @Nullable Object[] arguments;
  private final Start<T> method;
  private final Executor executor;
  private final CompletableFuture<T> admitted = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Object> end = new CompletableFuture<>();
  private volatile boolean emitted;

  /**
   * Takes one subscription.
   *
   * @param call limits the method
   * @param arguments the values of its parameters, not copied
   * @param method runs it once, unless it is refused or the subscriber has gone
   * @param executor goes on after the policy source or the store has answered
   */
  public LimitedSubscription(
      LimitedCall call, @Nullable Object[] arguments, Start<T> method, Executor executor) {
    this.call = call;
    this.arguments = arguments;
    this.method = method;
    this.executor = executor;
  }

  /**
   * Decides the call, and runs the method if it is admitted. Never waits for the store.
   *
   * @param caller binds the request of the caller to the thread that decides; null for none
   * @param elsewhere whether the executor decides, since parts of the application may block, and
   *     this thread must not; else this thread does
   * @return the result of the method; fails with the refusal, or what the method throws
   */
  public CompletableFuture<T> decide(
      Supplier<LimitedRequest.@Nullable Binding> caller, boolean elsewhere) {
    if (elsewhere) {
      executor.execute(() -> decide(caller));
    } else {
      decide(caller);
    }
    return admitted;
  }

  @SuppressWarnings("try") // the binding is closed, not used
  private void decide(Supplier<LimitedRequest.@Nullable Binding> caller) {
    try (LimitedRequest.Binding unused = caller.get()) {
      var ignored =
          call.start(arguments, this::start, executor)
              .whenComplete(
                  (value, failure) -> {
                    if (failure != null) {
                      admitted.completeExceptionally(failure);
                    }
                  });
    } catch (RuntimeException | Error failure) {
      admitted.completeExceptionally(failure);
    }
  }

  private CompletionStage<?> start() {
    if (!end.isDone()) { // else the subscriber has gone
      try {
        admitted.complete(method.run());
      } catch (Throwable failure) {
        admitted.completeExceptionally(failure);
        end.completeExceptionally(failure);
      }
    }
    return end;
  }

  /** Notes that the subscriber has got a value. */
  public void emitted() {
    emitted = true;
  }

  /** Ends it as a success. */
  public void completed() {
    end.complete(null);
  }

  /**
   * Ends it as a failure.
   *
   * @param failure of the result
   */
  public void failed(Throwable failure) {
    end.completeExceptionally(failure);
  }

  /** Ends it by the subscriber: a success after a value, else a failure. */
  public void cancelled() {
    if (emitted) {
      end.complete(null);
    } else {
      end.cancel(false);
    }
  }
}
