package io.weir.spring.method;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.lang.reflect.Method;
import java.util.Map;
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

  /** Null once the application has ended. */
  private volatile @Nullable Limits limits;

  /** The limits of one application. A call keeps them to its end, whatever happens meanwhile. */
  private static final class Limits {
    private final ObjectProvider<Adapter> provider;
    private final Map<Class<?>, Map<Method, LimitedInvocation>> known = new ConcurrentHashMap<>();
    private volatile @Nullable Adapter adapter;

    Limits(ObjectProvider<Adapter> provider) {
      this.provider = provider;
    }

    Adapter adapter() {
      Adapter found = adapter;
      if (found == null) {
        found = provider.getObject();
        adapter = found;
      }
      return found;
    }

    LimitedInvocation of(@Nullable Object target, Method method) {
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
      Adapter decides = adapter();
      LimitedCall call = method.call(decides);
      return REACTOR ? ReactiveInvocations.of(method, call, decides) : new PlainInvocation(call);
    }
  }

  RateLimitAdvice(ObjectProvider<Adapter> provider) {
    this.limits = new Limits(provider);
  }

  /**
   * Returns what decides. It is looked up once: a context that is closed would make another one.
   *
   * @throws IllegalStateException if the application has ended
   */
  Adapter adapter() {
    Limits now = limits;
    if (now == null) {
      throw new IllegalStateException("the application has ended");
    }
    return now.adapter();
  }

  /**
   * Forgets the application, and limits nothing from now on. Web servers and the logging system of
   * Spring Boot keep a context that has been closed, and with it this advice.
   */
  void release() {
    limits = null;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    Limits now = limits;
    Object target = call.getThis();
    if (now == null || target instanceof Advised inner && ProxyChain.runs(this, inner)) {
      return call.proceed(); // the proxy nearest to the object limits it
    }
    return now.of(target, call.getMethod()).run((ProxyMethodInvocation) call);
  }
}
