package io.weir.micronaut;

import io.micronaut.core.async.propagation.ReactorPropagation;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.LimitedSubscription;
import java.util.Optional;
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
    LimitedSubscription<Publisher<Object>> one =
        new LimitedSubscription<>(call, arguments, this::run, LimitedPublisher::goOn);
    return Mono.fromFuture(one.decide(() -> bind(context), mustDecideElsewhere(adapter)), true)
        .flatMapMany(Flux::from)
        .doOnNext(value -> one.emitted())
        .doOnComplete(one::completed)
        .doOnError(one::failed)
        .doOnCancel(one::cancelled);
  }

  private LimitedRequest.@Nullable Binding bind(ContextView context) {
    return ReactorPropagation.findContextElement(context, CallerContext.class)
        .map(each -> each.limited().bind())
        .or(() -> assembled.map(each -> each.bind(null)))
        .orElse(null);
  }

  /** Runs the method; Micronaut's chain of interceptors is made for one thread. */
  @SuppressWarnings("unchecked") // a publisher of objects is only read
  private synchronized Publisher<Object> run() {
    return (Publisher<Object>) method.get();
  }

  /** Returns whether deciding may block, by parts of the application, and this thread must not. */
  static boolean mustDecideElsewhere(Adapter adapter) {
    return adapter.callsApplication() && Schedulers.isInNonBlockingThread();
  }

  /** Goes on in a thread that may block. */
  static void goOn(Runnable task) {
    var unused = Schedulers.boundedElastic().schedule(task);
  }
}
