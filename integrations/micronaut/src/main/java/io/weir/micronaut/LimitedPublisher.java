package io.weir.micronaut;

import io.micronaut.core.async.propagation.ReactorPropagation;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Limits a method that returns a publisher. Each subscription is a call: it is decided, and the
 * method runs, when the publisher is subscribed to; its end is the outcome. The caller is that of
 * the request in the subscriber's context, else that of the thread which has called the method.
 *
 * <p>Safe for concurrent use.
 */
final class LimitedPublisher {
  private final Adapter adapter;
  private final LimitedCall call;
  private final @Nullable Object[] arguments;
  private final Supplier<? extends Publisher<?>> method;
  private final Optional<LimitedRequest> assembled;

  /**
   * Takes one call of the method.
   *
   * @param arguments the values of the parameters, not copied
   * @param method runs it, once for each subscription
   */
  LimitedPublisher(
      Adapter adapter,
      LimitedCall call,
      @Nullable Object[] arguments,
      Supplier<? extends Publisher<?>> method) {
    this.adapter = adapter;
    this.call = call;
    this.arguments = arguments;
    this.method = method;
    this.assembled = adapter.currentRequest();
  }

  Publisher<Object> publisher() {
    return Flux.deferContextual(this::subscribed);
  }

  private Flux<Object> subscribed(ContextView context) {
    Subscription one = new Subscription();
    if (adapter.callsApplication() && Schedulers.isInNonBlockingThread()) {
      goOn(() -> one.decide(context));
    } else {
      one.decide(context);
    }
    return Mono.fromFuture(one.admitted, true)
        .flatMapMany(Flux::from)
        .doOnNext(value -> one.emitted = true)
        .doOnComplete(() -> one.end.complete(null))
        .doOnError(one.end::completeExceptionally)
        .doOnCancel(one::cancelled);
  }

  private LimitedRequest.@Nullable Binding bind(ContextView context) {
    return ReactorPropagation.findContextElement(context, CallerContext.class)
        .map(each -> each.limited().bind())
        .or(() -> assembled.map(each -> each.bind(null)))
        .orElse(null);
  }

  /** Goes on in a thread that may block. */
  static void goOn(Runnable task) {
    var unused = Schedulers.boundedElastic().schedule(task);
  }

  /**
   * One subscription. It ends once: with the publisher, or by cancellation. A subscriber that
   * cancels after a value has got what it wanted, so this is a success; before any value it is a
   * failure.
   */
  private final class Subscription {
    private final CompletableFuture<Publisher<Object>> admitted = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Object> end = new CompletableFuture<>();
    private volatile boolean emitted;

    void decide(ContextView context) {
      try (LimitedRequest.@Nullable Binding bound = bind(context)) {
        var unused =
            call.start(arguments, this::start, LimitedPublisher::goOn)
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

    @SuppressWarnings("unchecked") // a publisher of objects is only read
    private CompletionStage<?> start() {
      if (!end.isDone()) { // else the subscriber has gone
        try {
          admitted.complete((Publisher<Object>) run());
        } catch (Throwable failure) {
          admitted.completeExceptionally(failure);
          end.completeExceptionally(failure);
        }
      }
      return end;
    }

    void cancelled() {
      if (emitted) {
        end.complete(null);
      } else {
        end.cancel(false);
      }
    }
  }

  /** Runs the method; Micronaut's chain of interceptors is made for one thread. */
  private synchronized Publisher<?> run() {
    return method.get();
  }
}
