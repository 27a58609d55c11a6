package io.weir.spring.method;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.LimitedSubscription;
import io.weir.spring.RequestContext;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Limits a method that returns a publisher, as Kotlin's suspend functions do behind a proxy. Each
 * subscription is a call: it is decided, and the method runs, when the publisher is subscribed to;
 * its end is the outcome. The caller is that of the request in the subscriber's context, else that
 * of the thread which has called the method.
 *
 * @param limits knows the request of the thread
 */
record PublisherInvocation(LimitedCall call, ReactiveAdapter kind, Adapter limits)
    implements LimitedInvocation {
  @Override
  public @Nullable Object run(ProxyMethodInvocation invocation) throws Throwable {
    if (call.takeCharge()) {
      return invocation.proceed();
    }
    Optional<LimitedRequest> assembled = limits.currentRequest();
    return kind.fromPublisher(
        kind.isMultiValue() ? many(invocation, assembled) : one(invocation, assembled));
  }

  private Flux<Object> many(ProxyMethodInvocation invocation, Optional<LimitedRequest> assembled) {
    return Flux.deferContextual(
        context -> {
          LimitedSubscription<Publisher<Object>> one = subscription(invocation);
          return decided(one, assembled, context)
              .flatMapMany(Flux::from)
              .doOnNext(value -> one.emitted())
              .doOnComplete(one::completed)
              .doOnError(one::failed)
              .doOnCancel(one::cancelled);
        });
  }

  private Mono<Object> one(ProxyMethodInvocation invocation, Optional<LimitedRequest> assembled) {
    return Mono.deferContextual(
        context -> {
          LimitedSubscription<Publisher<Object>> one = subscription(invocation);
          return decided(one, assembled, context)
              .flatMap(Mono::from)
              .doOnSuccess(value -> one.completed())
              .doOnError(one::failed)
              .doOnCancel(one::cancelled);
        });
  }

  private LimitedSubscription<Publisher<Object>> subscription(ProxyMethodInvocation invocation) {
    return new LimitedSubscription<>(
        call,
        invocation.getArguments(),
        () -> publisher((ProxyMethodInvocation) invocation.invocableClone()),
        ReactiveInvocations::goOn);
  }

  /** Decides for the caller of the subscriber, whose user may have to be read first. */
  private Mono<Publisher<Object>> decided(
      LimitedSubscription<Publisher<Object>> made,
      Optional<LimitedRequest> assembled,
      ContextView context) {
    Object carried = context.getOrDefault(RequestContext.KEY, null);
    return carried instanceof RequestContext request
        ? request.knowUser(context).then(Mono.defer(() -> decided(made, request::bind)))
        : decided(made, () -> assembled.map(each -> each.bind(null)).orElse(null));
  }

  private Mono<Publisher<Object>> decided(
      LimitedSubscription<Publisher<Object>> made,
      Supplier<LimitedRequest.@Nullable Binding> caller) {
    return Mono.fromFuture(
        made.decide(caller, ReactiveInvocations.mustDecideElsewhere(limits)), true);
  }

  private Publisher<Object> publisher(ProxyMethodInvocation invocation) throws Throwable {
    Object result = invocation.proceed();
    return result == null || kind.getReactiveType().isInstance(result)
        ? kind.toPublisher(result)
        : Mono.just(result); // of a suspend function, by an advice that knows its value
  }
}
