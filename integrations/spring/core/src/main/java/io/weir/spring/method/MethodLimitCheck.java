package io.weir.spring.method;

import io.weir.InvalidPolicyException;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Checks the limits of all beans when the singletons are made, and those of beans whose class shows
 * only later when they are made. One message lists all mistakes.
 *
 * <p>Safe for concurrent use.
 */
final class MethodLimitCheck {
  private static final Logger LOG = System.getLogger("io.weir.spring.method");

  private final ConfigurableListableBeanFactory beans;
  private final RateLimitAdvisor advisor;
  private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
  private volatile boolean started;

  MethodLimitCheck(ConfigurableListableBeanFactory beans, RateLimitAdvisor advisor) {
    this.beans = beans;
    this.advisor = advisor;
  }

  /**
   * Checks all beans that the application defines.
   *
   * @throws InvalidPolicyException if there are mistakes
   */
  void checkAll() {
    started = true;
    advisor.adapter();
    Map<Class<?>, String> types = new LinkedHashMap<>();
    for (String name : beans.getBeanDefinitionNames()) {
      if (!beans.getBeanDefinition(name).isAbstract()) {
        add(types, beans.getType(name, false), name);
      }
    }
    for (String name : beans.getSingletonNames()) {
      Object bean = beans.getSingleton(name);
      if (bean != null) {
        add(types, AopProxyUtils.ultimateTargetClass(bean), name);
      }
    }
    List<String> mistakes = new ArrayList<>();
    types.forEach((type, name) -> mistakes.addAll(mistakes(type, name)));
    InvalidPolicyException.throwIfAny(mistakes);
    warnOfControllers(types.keySet());
    warnOfUnproxied();
  }

  /**
   * Checks a bean that was made after the start.
   *
   * @throws InvalidPolicyException if there are mistakes in a class that wasn't seen before
   */
  void check(Object bean, String name) {
    if (started) {
      Map<Class<?>, String> types = new LinkedHashMap<>();
      add(types, AopProxyUtils.ultimateTargetClass(bean), name);
      for (Class<?> type : types.keySet()) {
        if (!checked.contains(type)) {
          InvalidPolicyException.throwIfAny(mistakes(type, name));
        }
      }
    }
  }

  /** Adds a class as it is written; in place of a proxy that Java has made, its interfaces. */
  private static void add(Map<Class<?>, String> types, @Nullable Class<?> type, String name) {
    if (type == null || LimitedClasses.isOfFramework(type)) {
      return;
    }
    if (Proxy.isProxyClass(type)) {
      for (Class<?> each : type.getInterfaces()) {
        add(types, each, name);
      }
    } else {
      types.putIfAbsent(ClassUtils.getUserClass(type), name);
    }
  }

  private List<String> mistakes(Class<?> type, String name) {
    List<String> mistakes;
    try {
      mistakes = new ArrayList<>(classMistakes(type, name));
    } catch (LinkageError | IllegalStateException | TypeNotPresentException unreadable) {
      LOG.log(
          Level.DEBUG,
          () -> type.getName() + " can't be read for limits of its methods",
          unreadable);
      checked.add(type);
      return List.of();
    }
    LimitedMethodPointcut pointcut = advisor.limitedMethods();
    for (Method method : pointcut.limits(type).methods()) {
      if (!pointcut.isLeftToAdapter(type, method)) {
        mistakes.addAll(policyMistakes(new BeanMethod(type, method)));
      }
    }
    if (mistakes.isEmpty()) {
      checked.add(type);
    }
    return mistakes;
  }

  private List<String> classMistakes(Class<?> type, String name) {
    boolean byClass =
        beans.containsBeanDefinition(name) && AutoProxyUtils.shouldProxyTargetClass(beans, name);
    return new BeanClassCheck(advisor.limitedMethods(), type, byClass, beans.getBeanClassLoader())
        .mistakes();
  }

  private List<String> policyMistakes(BeanMethod method) {
    try {
      Adapter limits = advisor.adapter();
      limits.endpoint(method.type(), method.method(), EndpointType.METHOD);
      method.call(limits);
      return List.of();
    } catch (InvalidPolicyException invalid) {
      return invalid.mistakes();
    }
  }

  private void warnOfControllers(Set<Class<?>> types) {
    LimitedMethodPointcut pointcut = advisor.limitedMethods();
    for (Class<?> type : types) {
      boolean handles =
          pointcut.limits(type).methods().stream()
              .anyMatch(each -> pointcut.isEndpoint(type, each));
      if (handles && pointcut.mayBeCalled(type) && !WebMethods.canBeProxied(type)) {
        LOG.log(
            Level.WARNING,
            "{0}: its limits count requests, but not calls by other beans, since it or one of its"
                + " handlers is final or private: Spring can''t make a proxy of it",
            type.getName());
      }
    }
  }

  /** Warns of beans that were made before Spring could proxy them. */
  private void warnOfUnproxied() {
    for (String name : beans.getSingletonNames()) {
      Object bean = beans.getSingleton(name);
      if (bean != null && !(bean instanceof AopInfrastructureBean) && !isProxied(bean)) {
        Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
        List<String> unlimited = unlimited(type);
        if (!unlimited.isEmpty()) {
          LOG.log(
              Level.WARNING,
              "the bean {0} was created before Spring creates proxies, or not by Spring, so"
                  + " these of its methods aren''t limited: {1}",
              name,
              String.join(", ", unlimited));
        }
      }
    }
  }

  private boolean isProxied(Object bean) {
    return bean instanceof Advised advised
        ? ProxyChain.runs(advisor.getAdvice(), advised)
        : AopUtils.isAopProxy(bean); // an opaque one doesn't show its advice
  }

  private List<String> unlimited(Class<?> type) {
    LimitedMethodPointcut pointcut = advisor.limitedMethods();
    return pointcut.limits(type).methods().stream()
        .filter(each -> !pointcut.isLeftToAdapter(type, each) && !WovenMethods.isWoven(each))
        .map(each -> BeanMethod.place(type, each))
        .sorted()
        .toList();
  }
}
