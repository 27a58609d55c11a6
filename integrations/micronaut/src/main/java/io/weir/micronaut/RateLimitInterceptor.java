package io.weir.micronaut;

import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.BeanProvider;
import io.micronaut.core.convert.ConversionService;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs a call of a bean's method if its policies admit it. A result that ends later than the method
 * returns decides the outcome when it ends.
 *
 * <p>Safe for concurrent use. The {@link Adapter} is looked up by the first call, since beans that
 * it needs may have limits themselves.
 */
@InterceptorBean(LimitedMethod.class)
final class RateLimitInterceptor implements MethodInterceptor<Object, Object> {
  private final BeanProvider<Adapter> adapters;
  private final ConversionService conversion;
  private final Map<BeanMethod, LimitedCall> calls = new ConcurrentHashMap<>();

  RateLimitInterceptor(BeanProvider<Adapter> adapters, ConversionService conversion) {
    this.adapters = adapters;
    this.conversion = conversion;
  }

  @Override
  public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
    Adapter adapter = adapters.get();
    BeanMethod method = BeanMethod.of(context);
    if (BeanMethod.isLeftOut(context) && !adapter.isAnnotated(method.method())) {
      return context.proceed();
    }
    LimitedCall found = calls.get(method);
    LimitedCall call =
        found != null ? found : calls.computeIfAbsent(method, each -> each.call(adapter, context));
    InterceptedMethod kind = InterceptedMethod.of(context, conversion);
    try {
      return switch (kind.resultType()) {
        case PUBLISHER ->
            call.takeCharge()
                ? context.proceed()
                : kind.handleResult(
                    new LimitedPublisher(
                            adapter, call, context, () -> kind.interceptResultAsPublisher(this))
                        .publisher());
        case COMPLETION_STAGE ->
            kind.handleResult(
                call.runAsync(
                    context.getParameterValues(),
                    () -> kind.interceptResultAsCompletionStage(this),
                    LimitedPublisher::goOn));
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
}
