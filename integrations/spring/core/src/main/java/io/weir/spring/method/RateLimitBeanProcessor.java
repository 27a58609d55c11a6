package io.weir.spring.method;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Puts the limits of a bean before advice that was added to its proxy later, such as that of
 * {@code @Async}: the calling thread gets the refusal. Also starts the check of all limits.
 *
 * <p>It has no order, so it comes after all processors that make proxies.
 */
final class RateLimitBeanProcessor implements BeanPostProcessor, SmartInitializingSingleton {
  private final RateLimitAdvisor advisor;
  private final MethodLimitCheck check;

  RateLimitBeanProcessor(RateLimitAdvisor advisor, MethodLimitCheck check) {
    this.advisor = advisor;
    this.check = check;
  }

  @Override
  public void afterSingletonsInstantiated() {
    check.checkAll();
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof Advised proxy && !proxy.isFrozen()) {
      moveFirst(proxy);
    }
    check.check(bean, name);
    return bean;
  }

  private void moveFirst(Advised proxy) {
    Advisor[] advisors = proxy.getAdvisors();
    for (int at = 1; at < advisors.length; at++) {
      if (advisors[at].equals(advisor)) {
        proxy.removeAdvisor(at);
        proxy.addAdvisor(0, advisor);
        return;
      }
    }
  }
}
