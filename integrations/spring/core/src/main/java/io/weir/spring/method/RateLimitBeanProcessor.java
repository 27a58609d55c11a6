package io.weir.spring.method;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Puts the limits of a bean before advice that was added to its proxy later, such as that of
 * {@code @Async}: the calling thread gets the refusal. Has a bean that is proxied by class stay one
 * of its class where the application has several makers of proxies. Also starts the check of all
 * limits.
 *
 * <p>It has no order, so it comes after all processors that make proxies.
 */
final class RateLimitBeanProcessor
    implements InstantiationAwareBeanPostProcessor, SmartInitializingSingleton {
  /** The attribute of a bean whose interfaces the application has chosen, since Spring 7. */
  private static final String CHOSEN_INTERFACES =
      AutoProxyUtils.class.getName() + ".exposedInterfaces";

  private final ConfigurableListableBeanFactory beans;
  private final RateLimitAdvisor advisor;
  private final MethodLimitCheck check;

  RateLimitBeanProcessor(
      ConfigurableListableBeanFactory beans, RateLimitAdvisor advisor, MethodLimitCheck check) {
    this.beans = beans;
    this.advisor = advisor;
    this.check = check;
  }

  @Override
  public void afterSingletonsInstantiated() {
    check.checkAll();
  }

  /**
   * Marks the definition of a bean that the first maker of proxies is about to proxy by class, for
   * those that come after it. Otherwise one that proxies interfaces would find those of the proxy
   * itself, and the bean would no longer be of its class.
   */
  @Override
  public boolean postProcessAfterInstantiation(Object bean, String name) {
    Class<?> type = bean instanceof FactoryBean<?> maker ? maker.getObjectType() : bean.getClass();
    if (type != null
        && beans.containsBeanDefinition(name)
        && advisor.limitedMethods().isProxiedByClass(type)) {
      BeanDefinition definition = beans.getBeanDefinition(name);
      boolean foundByClass = WebMethods.isFoundByClass(ClassUtils.getUserClass(type));
      if (foundByClass
          || !definition.hasAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE)
              && !definition.hasAttribute(CHOSEN_INTERFACES)) {
        definition.setAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE, true);
      }
    }
    return true;
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
