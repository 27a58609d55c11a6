package io.weir.cdi;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import jakarta.interceptor.InvocationContext;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Limits one subscription to the result of a method. It ends once: with the result, or by
 * cancellation. A subscriber that cancels after a value has got what it wanted, so this is a
 * success; before any value it is a failure.
 *
 * <p>Safe for concurrent use: a cancellation comes at any time.
 *
 * @param <T> what the method returns
 */
final class LimitedSubscription<T> {
  private final LimitedCall call;
  private final InvocationContext method;
  private final CompletableFuture<T> admitted = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Object> end = new CompletableFuture<>();
  private volatile boolean emitted;

  LimitedSubscription(LimitedCall call, InvocationContext method) {
    this.call = call;
    this.method = method;
  }

  /**
   * Decides the call for the caller of the thread, else for the one whose request has called the
   * method.
   *
   * @return the result of the method, once the call is admitted; else the refusal
   */
  Uni<T> decided(Adapter limits, Optional<LimitedRequest> assembled) {
    Optional<LimitedRequest> caller = limits.currentRequest().or(() -> assembled);
    if (limits.callsApplication() && !Infrastructure.canCallerThreadBeBlocked()) {
      MutinyInvocations.goOn(() -> decide(caller));
    } else {
      decide(caller);
    }
    return Uni.createFrom().completionStage(admitted);
  }

  @SuppressWarnings("try") // the binding is closed, not used
  private void decide(Optional<LimitedRequest> caller) {
    LimitedRequest.@Nullable Binding bound =
        caller.filter(each -> !each.isBound()).map(each -> each.bind(null)).orElse(null);
    try (LimitedRequest.Binding unused = bound) {
      decide();
    }
  }

  private void decide() {
    try {
      var unused =
          call.start(method.getParameters(), this::start, MutinyInvocations::goOn)
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
        admitted.complete(proceed());
      } catch (Throwable failure) {
        admitted.completeExceptionally(failure);
        end.completeExceptionally(failure);
      }
    }
    return end;
  }

  /** Runs the method. A container's chain of interceptors isn't made for several threads. */
  @SuppressWarnings("unchecked") // checked by MutinyInvocations
  private T proceed() throws Exception {
    synchronized (method) {
      return (T) method.proceed();
    }
  }

  void emitted() {
    emitted = true;
  }

  void ended(@Nullable Throwable failure, boolean cancelled) {
    if (failure != null) {
      end.completeExceptionally(failure);
    } else if (cancelled && !emitted) {
      end.cancel(false);
    } else {
      end.complete(null);
    }
  }
}
