package io.weir.spring.method;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/**
 * Runs a call of a bean's method if its policies admit it.
 *
 * <p>Safe for concurrent use. The {@link Adapter} is looked up by the first limited call or the
 * check at the start, since proxies are made before the parts that it needs.
 */
final class RateLimitAdvice implements MethodInterceptor {
  private static final boolean REACTOR =
      ClassUtils.isPresent("reactor.core.publisher.Mono", RateLimitAdvice.class.getClassLoader());

  private volatile @Nullable ObjectProvider<Adapter> provider;
  private volatile @Nullable Adapter adapter;
  private final Map<Class<?>, Map<Method, LimitedInvocation>> known = new ConcurrentHashMap<>();

  RateLimitAdvice(ObjectProvider<Adapter> provider) {
    this.provider = provider;
  }

  /**
   * Returns what decides. It is looked up once: a context that is closed would make another one.
   */
  Adapter adapter() {
    Adapter found = adapter;
    if (found == null) {
      found = Objects.requireNonNull(provider).getObject();
      adapter = found;
    }
    return found;
  }

  /**
   * Forgets the application, and limits nothing from now on. Web servers and the logging system of
   * Spring Boot keep a context that has been closed, and with it this advice.
   */
  void release() {
    provider = null;
    adapter = null;
    known.clear();
  }

  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    Object target = call.getThis();
    if (provider == null || target instanceof Advised inner && ProxyChain.runs(this, inner)) {
      return call.proceed(); // the proxy nearest to the object limits it
    }
    return limits(target, call.getMethod()).run((ProxyMethodInvocation) call);
  }

  private LimitedInvocation limits(@Nullable Object target, Method method) {
    Class<?> type = target == null ? method.getDeclaringClass() : target.getClass();
    Map<Method, LimitedInvocation> ofType =
        known.computeIfAbsent(type, any -> new ConcurrentHashMap<>());
    LimitedInvocation found = ofType.get(method);
    if (found != null) {
      return found;
    }
    LimitedInvocation made = make(BeanMethod.of(target, method));
    LimitedInvocation before = ofType.putIfAbsent(method, made);
    return before == null ? made : before;
  }

  private LimitedInvocation make(BeanMethod method) {
    Adapter limits = adapter();
    LimitedCall call = method.call(limits);
    return REACTOR ? ReactiveInvocations.of(method, call, limits) : new PlainInvocation(call);
  }
}
