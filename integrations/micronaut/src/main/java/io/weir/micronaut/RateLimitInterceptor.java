package io.weir.micronaut;

import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.BeanProvider;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.inject.ExecutableMethod;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs a call of a bean's method if its policies admit it. A result that ends later than the method
 * returns decides the outcome when it ends.
 *
 * <p>Safe for concurrent use. The {@link Adapter} is looked up by the first call, since beans that
 * it needs may have limits themselves.
 */
@InterceptorBean(Limited.class)
final class RateLimitInterceptor implements MethodInterceptor<Object, Object> {
  private record Site(ExecutableMethod<?, ?> method, Class<?> target) {}

  private final BeanProvider<Adapter> adapters;
  private final ConversionService conversion;

  /** Empty where nothing limits the calls. */
  private final Map<Site, Optional<LimitedCall>> calls = new ConcurrentHashMap<>();

  /** Null before the first call; kept, since a context that has ended would find none. */
  private volatile @Nullable Adapter found;

  RateLimitInterceptor(BeanProvider<Adapter> adapters, ConversionService conversion) {
    this.adapters = adapters;
    this.conversion = conversion;
  }

  @Override
  public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
    Adapter adapter = adapter();
    @Nullable LimitedCall call = call(adapter, context).orElse(null);
    if (call == null) {
      return context.proceed();
    }
    InterceptedMethod kind = InterceptedMethod.of(context, conversion);
    try {
      return switch (kind.resultType()) {
        case PUBLISHER ->
            call.takeCharge()
                ? context.proceed()
                : kind.handleResult(
                    new LimitedPublisher(
                            adapter,
                            call,
                            context.getParameterValues(),
                            () -> kind.interceptResultAsPublisher(this))
                        .publisher());
        case COMPLETION_STAGE ->
            kind.handleResult(start(adapter, call, context.getParameterValues(), kind));
        case SYNCHRONOUS -> call.run(context.getParameterValues(), () -> context.proceed(this));
      };
    } catch (Exception failure) {
      return kind.handleException(failure);
    } catch (Error failure) {
      throw failure;
    } catch (Throwable neither) {
      throw new UndeclaredThrowableException(neither);
    }
  }

  private CompletionStage<@Nullable Object> start(
      Adapter adapter, LimitedCall call, @Nullable Object[] arguments, InterceptedMethod kind) {
    PropagatedContext propagated = PropagatedContext.getOrEmpty();
    Executor later = task -> LimitedPublisher.goOn(propagated.wrap(task));
    LimitedCall.Body body = () -> kind.interceptResultAsCompletionStage(this);
    return LimitedPublisher.mustDecideElsewhere(adapter)
        ? call.startElsewhere(arguments, body, later)
        : call.start(arguments, body, later);
  }

  private Optional<LimitedCall> call(
      Adapter adapter, MethodInvocationContext<Object, Object> context) {
    Site site = new Site(context.getExecutableMethod(), context.getTarget().getClass());
    Optional<LimitedCall> known = calls.get(site);
    return known != null
        ? known
        : calls.computeIfAbsent(site, first -> BeanMethod.of(context).call(adapter, context));
  }

  private Adapter adapter() {
    Adapter known = found;
    if (known == null) {
      known = adapters.get();
      found = known;
    }
    return known;
  }
}
