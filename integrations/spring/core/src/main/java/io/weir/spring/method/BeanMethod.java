package io.weir.spring.method;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedCall;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.util.ClassUtils;

/**
 * Identifies a method of a bean by its declaration in the source, behind all proxies.
 *
 * @param type the class as it is written; the interface of a bean without such a class, such as a
 *     repository
 * @param method the method that runs
 */
record BeanMethod(Class<?> type, Method method) {
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  /**
   * Finds the method that a call reaches.
   *
   * @param target what the proxy calls, which may be another proxy; null if it calls nothing
   * @param called the method as the caller knows it
   */
  static BeanMethod of(@Nullable Object target, Method called) {
    if (target == null) {
      return new BeanMethod(called.getDeclaringClass(), called);
    }
    Class<?> written = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(target));
    if (Proxy.isProxyClass(written) || !called.getDeclaringClass().isAssignableFrom(written)) {
      return new BeanMethod(userInterface(target, called), called);
    }
    return of(written, called);
  }

  /** Finds the method that runs in objects of a class. */
  static BeanMethod of(Class<?> written, Method called) {
    return new BeanMethod(written, AopUtils.getMostSpecificMethod(called, written));
  }

  /** Finds the interface of the application by which a proxy without such a class is called. */
  private static Class<?> userInterface(Object proxy, Method called) {
    return Arrays.stream(proxy.getClass().getInterfaces())
        .filter(each -> !each.getName().startsWith("org.springframework.aop."))
        .filter(each -> called.getDeclaringClass().isAssignableFrom(each))
        .findFirst()
        .orElse(called.getDeclaringClass());
  }

  LimitedCall call(Adapter adapter) {
    return adapter.call(type, method, names());
  }

  /** Returns the names of the parameters; none if the class was compiled without them. */
  private List<String> names() {
    String[] names = NAMES.getParameterNames(method);
    return names == null ? List.of() : List.of(names);
  }

  /** Names the method as Weir's messages do. */
  String place() {
    return place(type, method);
  }

  static String place(Class<?> type, Method method) {
    return type.getName() + "#" + method.getName();
  }
}
