package io.weir.spring.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyProcessorSupport;
import org.springframework.util.ClassUtils;

/** Finds out whether Spring proxies the interfaces of a class. */
final class ProxiedInterfaces extends ProxyProcessorSupport {
  private static final long serialVersionUID = 1L;

  private ProxiedInterfaces() {}

  /** Returns whether a class has an interface of its own, which a proxy can have. */
  static boolean suit(Class<?> type) {
    ProxyFactory proxy = new ProxyFactory();
    new ProxiedInterfaces().evaluateProxyInterfaces(type, proxy);
    return !proxy.isProxyTargetClass();
  }

  static boolean declare(Class<?> type, Method method) {
    return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
        .flatMap(each -> Arrays.stream(each.getMethods()))
        .anyMatch(each -> BeanMethod.of(type, each).method().equals(method));
  }
}
