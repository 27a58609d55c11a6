package io.weir.spring.method;

import io.weir.adapter.Adapter;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;

/**
 * Limits the methods of beans by a proxy. It comes before all other advice, so that a call which is
 * refused opens no transaction, starts no thread, isn't retried, and isn't answered from a cache.
 *
 * <p>Safe for concurrent use.
 */
final class RateLimitAdvisor extends AbstractPointcutAdvisor implements DisposableBean {
  private static final long serialVersionUID = 1L;

  private final transient LimitedMethodPointcut pointcut;
  private final transient RateLimitAdvice advice;

  RateLimitAdvisor(ObjectProvider<Adapter> adapter, LimitedMethodPointcut pointcut) {
    this.pointcut = pointcut;
    this.advice = new RateLimitAdvice(adapter);
    setOrder(Ordered.HIGHEST_PRECEDENCE);
  }

  @Override
  public Pointcut getPointcut() {
    return pointcut;
  }

  @Override
  public Advice getAdvice() {
    return advice;
  }

  /** Returns what decides; made if it isn't yet. */
  Adapter adapter() {
    return advice.adapter();
  }

  @Override
  public void destroy() {
    advice.release();
  }

  LimitedMethodPointcut limitedMethods() {
    return pointcut;
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
