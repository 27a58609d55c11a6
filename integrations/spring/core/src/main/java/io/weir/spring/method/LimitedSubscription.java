package io.weir.spring.method;

import io.weir.adapter.LimitedCall;
import io.weir.spring.method.PublisherInvocation.MethodStart;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Limits one subscription to the result of a method. It ends once: with the publisher, or by
 * cancellation. A subscriber that cancels after a value has got what it wanted, so this is a
 * success; before any value it is a failure.
 *
 * <p>Safe for concurrent use: a cancellation comes at any time.
 */
final class LimitedSubscription {
  private final LimitedCall call;
  private final @Nullable Object[] arguments;
  private final MethodStart method;
  private final CompletableFuture<Publisher<Object>> admitted = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Object> end = new CompletableFuture<>();
  private volatile boolean emitted;

  LimitedSubscription(LimitedCall call, @Nullable Object[] arguments, MethodStart method) {
    this.call = call;
    this.arguments = arguments;
    this.method = method;
  }

  /** Decides the call, in this thread as far as it is decided at once. */
  void decide() {
    try {
      var unused =
          call.start(arguments, this::start, ReactiveInvocations::goOn)
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

  /** Returns the publisher of the method, once the call is admitted; else the refusal. */
  Mono<Publisher<Object>> admitted() {
    return Mono.fromFuture(admitted, true);
  }

  void emitted() {
    emitted = true;
  }

  void completed() {
    end.complete(null);
  }

  void failed(Throwable failure) {
    end.completeExceptionally(failure);
  }

  void cancelled() {
    if (emitted) {
      end.complete(null);
    } else {
      end.cancel(false);
    }
  }
}
